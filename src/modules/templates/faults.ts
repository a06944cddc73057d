// What is refused when a message is saved, be it a template or a campaign: faulty addresses, line breaks in headers, broken syntax.
import { isEmail } from '../../lib/address'
import { AppError, type FieldError } from '../../lib/errors'
import { checkSyntax } from '../../liquid/template'

export interface MessageFields {
  subject?: string
  body?: string
  /** Addresses in their stored spelling. */
  from?: string
  fromName?: string | null
  replyTo?: string | null
}

/** One item a faulty member; absent ones are fine. */
export function messageFaults(fields: MessageFields): FieldError[] {
  const errors: FieldError[] = []
  const refuse = (field: string, message: string): void =>
    void errors.push({ field, message, code: 'invalid_string' })
  for (const field of ['from', 'replyTo'] as const) {
    const address = fields[field]
    if (address !== undefined && address !== null && !isEmail(address))
      refuse(field, 'must be an e-mail address')
  }
  for (const field of ['subject', 'fromName'] as const)
    if (/[\r\n]/.test(fields[field] ?? '')) refuse(field, 'must not contain line breaks')
  return errors
}

/** Throws a 400 that names the place of the first fault in the Liquid of subject and body. */
export function refuseBrokenSyntax({ subject, body }: Pick<MessageFields, 'subject' | 'body'>): void {
  for (const [field, source] of Object.entries({ subject, body })) {
    const fault = source === undefined ? undefined : checkSyntax(source, field)
    if (!fault) continue
    const { line, column } = fault
    throw new AppError(400, 'VALIDATION_ERROR', fault.message, { details: { field, line, column } })
  }
}
