// What is refused when a message is saved, be it a template or a campaign: faulty addresses, line breaks in headers.
import { addressFault } from '../../../lib/address'
import type { FieldError } from '../../../lib/errors'

export interface MessageFields {
  subject?: string
  body?: string
  from?: string
  fromName?: string | null
  replyTo?: string | null
}

/** One item per faulty member; absent ones are fine. */
export function messageFaults(fields: MessageFields): FieldError[] {
  const errors: FieldError[] = []
  const refuse = (field: string, message: string): void =>
    void errors.push({ field, message, code: 'invalid_string' })
  for (const field of ['from', 'replyTo'] as const) {
    const address = fields[field]
    const fault = address === undefined || address === null ? undefined : addressFault(address)
    if (fault !== undefined) refuse(field, fault)
  }
  for (const field of ['subject', 'fromName'] as const)
    if (/[\r\n]/.test(fields[field] ?? '')) refuse(field, 'must not contain line breaks')
  return errors
}
