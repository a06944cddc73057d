// Refuses steps whose texts can't be filled in: where they are saved, not when a contact gets there.
import { AppError } from '../../../../../lib/errors'
import { hasDelimiters, type LiquidSource } from '../../../../../liquid/syntax'
import { firstFault } from '../../../../sending/templates'
import type { Graph, Step } from '../../words'

/**
 * Throws a 400 that names the place of the first fault in the Liquid of a step. Parsing takes time, so no row may be locked.
 * What is stored as it was sent is not looked at: a step that was saved before it was checked doesn't stop its workflow from being edited.
 */
export async function refuseBrokenTexts(
  projectId: string,
  steps: ReadonlyArray<{ step: Pick<Step, 'type' | 'config' | 'name'>; path: string }>,
): Promise<void> {
  const sources = steps.flatMap(({ step, path }) =>
    filledTexts(step).map(({ field, source }) => ({ field: `${path}${field}`, source, name: step.name })),
  )
  const fault = await firstFault(
    projectId,
    sources.map(({ field, source }) => ({ field, source })),
  )
  if (!fault) return
  const { field, line, column, reason, message } = fault
  const name = sources.find(source => source.field === field)?.name
  throw new AppError(400, 'VALIDATION_ERROR', message, {
    details: { field, line, column },
    errors: [{ field, message: reason, code: 'invalid_string' }],
    suggestion: `Correct the Liquid in ${field} of the step "${name}", then save again.`,
  })
}

/** The same for all steps of a graph that differ from the stored ones. */
export async function refuseBrokenGraph(
  projectId: string,
  { steps }: Graph,
  stored: Pick<Graph, 'steps'>,
  path = '',
): Promise<void> {
  const before = new Map(stored.steps.map(step => [step.id, step.config]))
  await refuseBrokenTexts(
    projectId,
    steps.flatMap((step, index) =>
      Bun.deepEquals(before.get(step.id), step.config) ? [] : [{ step, path: `${path}steps.${index}.` }],
    ),
  )
}

/** A name that an author gave is shown no longer than this. */
const shownLength = 100

/** The texts with Liquid of a WEBHOOK or UPDATE_CONTACT, each with its place: `config.headers.Authorization`. */
export function filledTexts({ type, config }: Pick<Step, 'type' | 'config'>): LiquidSource[] {
  const found: LiquidSource[] = []
  for (const name of filledMembers[type](config)) collect(config[name], `config.${name}`, found)
  return found
}

const none = () => []

/** The members of each type's configuration that are filled in like templates. */
const filledMembers: Record<Step['type'], (config: Step['config']) => string[]> = {
  SEND_EMAIL: none,
  DELAY: none,
  WAIT_FOR_EVENT: none,
  CONDITION: none,
  EXIT: none,
  TRIGGER: none,
  WEBHOOK: () => ['url', 'headers', 'body'],
  UPDATE_CONTACT: config => [config['updates'] ? 'updates' : 'data'],
}

function collect(value: unknown, field: string, found: LiquidSource[]): void {
  if (typeof value === 'string') {
    if (hasDelimiters(value)) found.push({ field, source: value })
  } else if (typeof value === 'object' && value !== null)
    for (const [key, item] of Object.entries(value))
      collect(item, `${field}.${key.slice(0, shownLength)}`, found)
}
