// Refuses templates that can't be read: as 400 where one is saved, as a faulty field of a send.
import { AppError, type FieldError } from '../../../../lib/errors'
import { second } from '../../../../lib/time'
import {
  areHeavySources,
  checkSources,
  faultAt,
  type LiquidFault,
  type LiquidSource,
} from '../../../../liquid/syntax'
import { Overrun } from '../../../../platform/workers/pool'
import type { MessageFields } from '../faults'
import { renderThreads } from './threads'

/** Parsing the longest source takes a good second of the processor. */
const checkMs = 5 * second

type Sources = Pick<MessageFields, 'subject' | 'body'> & { text?: string }

/** Throws a 400 that names the place of the first fault in the Liquid of subject and body. */
export async function refuseBrokenSyntax(projectId: string, sources: Sources): Promise<void> {
  const broken = await brokenSyntax(projectId, sources)
  if (broken) throw broken
}

/** The same for whoever has other things to refuse first. */
export async function brokenSyntax(projectId: string, sources: Sources): Promise<AppError | undefined> {
  const fault = await findFault(projectId, sources, true)
  if (!fault) return undefined
  const { field, line, column } = fault
  return new AppError(400, 'VALIDATION_ERROR', fault.message, { details: { field, line, column } })
}

/** The same for a request that is refused with all its faulty fields; unknown filters are no fault of a send. */
export async function syntaxFaults(projectId: string, sources: Sources): Promise<FieldError[]> {
  const fault = await findFault(projectId, sources, false)
  return fault ? [{ field: fault.field, message: fault.message, code: 'invalid_string' }] : []
}

async function findFault(
  projectId: string,
  { subject, body, text }: Sources,
  isSaved: boolean,
): Promise<LiquidFault | undefined> {
  const given = Object.entries({ subject, body, text })
  const sources = given.flatMap(([field, source]) => (source === undefined ? [] : [{ field, source }]))
  return await firstFault(projectId, sources, isSaved)
}

/** The first fault in texts that are being saved. Those that take long to parse together are parsed by a thread. */
export async function firstFault(
  projectId: string,
  sources: readonly LiquidSource[],
  isSaved = true,
): Promise<LiquidFault | undefined> {
  if (!areHeavySources(sources)) return checkSources(sources, isSaved)
  try {
    return (await renderThreads().run(projectId, { kind: 'check', sources, isSaved }, checkMs)).fault
  } catch (error) {
    if (!(error instanceof Overrun)) throw error
    const { source, field } = sources[0]!
    return faultAt(source, field, 'takes too long to read', 0)
  }
}
