// What starts a workflow: an event, a person, or a clock. Pure.
import { Cron } from 'croner'
import type { FieldError } from '../../../../lib/errors'
import { recordedName } from '../../../../lib/event-names'
import { isUuid } from '../../../../lib/ids'
import { awaitedFault, maxNameLength } from '../../../audience/events'
import type { TriggerType, Values } from '../words'

export type Trigger =
  | { type: 'EVENT'; eventName: string }
  | { type: 'MANUAL' }
  | { type: 'SCHEDULE'; cron: string; timezone: string; segmentId: string | null }

export type TriggerReading = { trigger: Trigger; config: Values | null } | { faults: FieldError[] }

/** Reads a trigger and returns the configuration as it is stored. */
export function readTrigger(type: TriggerType, config: Values | null): TriggerReading {
  switch (type) {
    case 'MANUAL':
      return { trigger: { type }, config: null }
    case 'EVENT':
      return readEvent(config ?? {})
    case 'SCHEDULE':
      return readSchedule(config ?? {})
  }
}

function fault(field: string, message: string, code = 'invalid_type'): { faults: FieldError[] } {
  return { faults: [{ field: `triggerConfig.${field}`, message, code }] }
}

function readEvent({ eventName }: Values): TriggerReading {
  const name = typeof eventName === 'string' ? eventName.trim() : ''
  if (name === '') return fault('eventName', 'Event name is required')
  if (name.length > maxNameLength)
    return fault('eventName', `Must be at most ${maxNameLength} characters long`, 'too_big')
  if (name.includes('\0') || !name.isWellFormed())
    return fault('eventName', 'Must not contain NUL characters or broken Unicode', 'invalid_string')
  const mistaken = awaitedFault(name, 'triggerConfig.eventName')
  if (mistaken) return { faults: [mistaken] }
  const recorded = recordedName(name)
  return { trigger: { type: 'EVENT', eventName: recorded }, config: { eventName: recorded } }
}

/** `schedule` is another name of `cron`. */
function readSchedule({ cron, schedule, timezone, segmentId }: Values): TriggerReading {
  const pattern = cron ?? schedule
  if (typeof pattern !== 'string' || pattern.trim() === '') return fault('cron', 'A cron pattern is required')
  const parts = pattern.trim().split(/\s+/)
  // A sixth part would be seconds, and nobody means to start everybody once a second.
  if (pattern.length > 200 || parts.length !== 5)
    return fault('cron', 'Must be a cron pattern of five parts', 'invalid_string')
  if (timezone !== undefined && timezone !== null && (typeof timezone !== 'string' || timezone.length > 100))
    return fault('timezone', 'Must be the name of a time zone', 'invalid_string')
  if (segmentId !== undefined && segmentId !== null && !(typeof segmentId === 'string' && isUuid(segmentId)))
    return fault('segmentId', 'Must be a UUID', 'invalid_string')
  const read = {
    cron: parts.join(' '),
    timezone: (timezone as string | null | undefined) ?? 'UTC',
    segmentId: (segmentId as string | null | undefined)?.toLowerCase() ?? null,
  }
  if (!isCron(read.cron, 'UTC')) return fault('cron', 'Is not a cron pattern', 'invalid_string')
  if (!isCron(read.cron, read.timezone))
    return fault('timezone', 'Is not the name of a time zone', 'invalid_string')
  return { trigger: { type: 'SCHEDULE', ...read }, config: read }
}

function isCron(cron: string, timezone: string): boolean {
  try {
    // The time zone is looked at only when a run is computed.
    nextRun({ cron, timezone }, new Date(0))
    return true
  } catch {
    return false
  }
}

/** The first tick after `now`; undefined for a pattern that never comes up (30 February). */
export function nextRun({ cron, timezone }: { cron: string; timezone: string }, now: Date): Date | undefined {
  return new Cron(cron, { paused: true, timezone }).nextRun(now) ?? undefined
}

/** The trigger of a stored workflow, which was checked before it was stored. */
export function storedTrigger(type: TriggerType, config: Values | null): Trigger {
  const reading = readTrigger(type, config)
  if ('faults' in reading) throw new Error(`a stored trigger is faulty: ${reading.faults[0]?.message}`)
  return reading.trigger
}
