// `waxwing contact erase EMAIL`: removes a person who asks for it from a project. Works alongside a running instance, whose jobs delete and
// empty what may be a lot.
import { eraseAddress } from '../modules/oversight/privacy'
import { readArguments, UsageFault } from './arguments'
import { askFor, findProject, withInstance } from './with-instance'

/** As the audit log calls the command line. */
const actor = 'operator'

export const contactFlags = {
  project: {
    kind: 'text',
    value: 'NAME',
    description: 'of which project: its id or name; needless where there is one only',
  },
  yes: { kind: 'flag', description: 'do it without asking' },
} as const

export async function contact(given: string[]): Promise<number> {
  const [action = '', ...rest] = given
  if (action !== 'erase')
    throw new UsageFault(action === '' ? 'erase is missing' : `unknown action: ${action}`)
  const { names, flags } = readArguments(rest, contactFlags, ['EMAIL'])
  if (!flags.yes && !process.stdin.isTTY) throw new UsageFault('use --yes to do it without being asked')
  return await withInstance({ mayBeNew: false }, async ctx => {
    const project = await findProject(ctx, flags.project)
    if (!flags.yes)
      await askFor(`Erase ${names[0]!} from the project "${project.name}" for good?`, 'nothing was erased')
    const { wasContact } = await eraseAddress(ctx, { projectId: project.id, by: actor }, names[0]!)
    console.log(
      wasContact
        ? 'erased; the running instance empties the messages, and nothing is sent to the address again'
        : 'there was no such contact; messages to the address are emptied, and nothing is sent to it again',
    )
    return 0
  })
}
