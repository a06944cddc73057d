// The rules of a project about its marketing mail: in which time zone its contacts live, when they sleep, and how much they get. Pure.
import { type FieldError, invalid } from '../../../lib/errors'
import { isTimeZone, minutesOpen, weekOf } from '../../../lib/local-time'
import type { AuditDetails } from './audit'
import type { MailCap, QuietHours } from './schema'

interface Given {
  timeZone?: string | null
  timeZoneField?: string | null
  quietHours?: (Omit<QuietHours, 'whenHeld'> & Partial<QuietHours>) | null
  mailCap?: (Omit<MailCap, 'whenHeld'> & Partial<MailCap>) | null
}

export interface MailRuleChanges {
  timeZone: string | null | undefined
  timeZoneField: string | null | undefined
  quietHours: QuietHours | null | undefined
  mailCap: MailCap | null | undefined
}

/** Throws 422 for a zone that there is not, and for hours that begin when they end. */
export function requireMailRules({ timeZone, timeZoneField, quietHours, mailCap }: Given): MailRuleChanges {
  const faults: FieldError[] = []
  if (timeZone && !isTimeZone(timeZone))
    faults.push({
      field: 'timeZone',
      message: 'Must be the name of a time zone, such as Europe/Berlin',
      code: 'invalid_string',
      received: timeZone,
    })
  if (quietHours && (quietHours.from === quietHours.to || minutesOpen(weekOf(quietHours)) === 0))
    faults.push({
      field: 'quietHours',
      message: 'Must begin and end at different times',
      code: 'custom',
    })
  if (quietHours && minutesOpen(weekOf(quietHours)) === 7 * 24 * 60)
    faults.push({ field: 'quietHours', message: 'Must leave some of the day', code: 'custom' })
  if (faults.length > 0) throw invalid(faults)
  return {
    timeZone,
    timeZoneField: timeZoneField === '' ? null : timeZoneField,
    quietHours: quietHours && { ...quietHours, whenHeld: quietHours.whenHeld ?? 'LATER' },
    mailCap: mailCap && { ...mailCap, whenHeld: mailCap.whenHeld ?? 'LATER' },
  }
}

/** What the audit log says about those that were given. */
export function mailRulesDetails({
  timeZone,
  timeZoneField,
  quietHours,
  mailCap,
}: MailRuleChanges): AuditDetails {
  const details = {
    timeZone,
    timeZoneField,
    quietHours: quietHours && `${quietHours.from}-${quietHours.to} ${quietHours.whenHeld}`,
    mailCap: mailCap && `${mailCap.messages}/${mailCap.days}d ${mailCap.whenHeld}`,
  }
  return Object.fromEntries(
    Object.entries(details).filter(([, value]) => value !== undefined),
  ) as AuditDetails
}
