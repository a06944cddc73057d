// A second member of a newcomer's project, who accepted an invitation.
import type { MemoryTransport } from '../../src/platform/transports/memory'
import { readLetter } from '../support/accounts'
import { caller, type Newcomer } from './newcomer'
import { type Visitor, visitor } from './open'

const password = 'a second long password'

interface Invited {
  email?: string
  /** The link comes from the email that was sent by this, which verifies the address; otherwise the newcomer passes on a link. */
  mail?: MemoryTransport
}

export async function secondMember(
  somebody: Newcomer,
  role: string,
  { email = `${role.toLowerCase()}@team.example`, mail }: Invited = {},
): Promise<Visitor> {
  const { showcase, browser, projectId } = somebody
  const call = caller(() => somebody)
  const project = `/projects/${projectId}`
  const { invitationId } = await call('POST', `${project}/members`, { email, role })
  const { url } = await call('GET', `${project}/invitations/${invitationId}/link`)
  if (mail) await showcase.drain()
  const token = mail ? (await readLetter(mail.sent.at(-1)!)).token : new URL(url).searchParams.get('token')!
  const other = await visitor(browser, { width: 1280, theme: 'light' })
  other.page.setDefaultTimeout(10_000)
  await other.page.request.post(`${showcase.url}/auth/invitation/form`, { form: { token, password } })
  await other.page.request.post(`${showcase.url}/auth/login`, { data: { email, password } })
  return other
}
