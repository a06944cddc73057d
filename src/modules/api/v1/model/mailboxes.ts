// Names and addresses of a send request, in each of the ways in which they may be written. Pure.
import { addressFault, normaliseEmail } from '../../../../lib/address'
import type { FieldError } from '../../../../lib/errors'
import { readMailbox } from '../../../../lib/mailbox'
import type { Mailbox } from '../../../../mail/mime/mail'
import type { Copy } from '../../../sending/emails'
import { maxAddresses, type SendBody } from './bodies'

type Written = string | { email: string; name?: string | null }

const maxNameLength = 200
const lineBreak = /[\r\n]/

export function recipients(to: SendBody['to'], faults: FieldError[]): Mailbox[] {
  if (!Array.isArray(to)) return [mailbox(to, 'to', faults)]
  return to.map((item, index) => mailbox(item, `to.${index}`, faults))
}

/** Nothing, in whatever way it is written, means no copies. */
export function copiesOf({ to, cc, bcc }: SendBody, faults: FieldError[]): Copy[] {
  const copies = [...copiesOfKind('cc', cc, faults), ...copiesOfKind('bcc', bcc, faults)]
  if (copies.length === 0) return []
  if (Array.isArray(to) && to.length > 1)
    faults.push({
      field: 'to',
      message:
        'must be one recipient where there are copies: each recipient in "to" gets a message of its own, and copies go with one message',
      code: 'custom',
    })
  if (copies.length >= maxAddresses)
    faults.push({
      field: 'cc',
      message: `at most ${maxAddresses - 1} recipients in cc and bcc together`,
      code: 'too_big',
    })
  return copies
}

function copiesOfKind(kind: Copy['kind'], given: SendBody['cc'], faults: FieldError[]): Copy[] {
  if (given === undefined || given === null || given === '') return []
  if (!Array.isArray(given)) return [{ kind, ...mailbox(given, kind, faults) }]
  return given.map((item, index) => ({ kind, ...mailbox(item, `${kind}.${index}`, faults) }))
}

export function mailbox(value: Written, field: string, faults: FieldError[]): Mailbox {
  if (typeof value !== 'string')
    return {
      email: address(value.email, `${field}.email`, faults),
      name: line(value.name, `${field}.name`, faults) || null,
    }
  const { name } = readMailbox(value)
  if (name !== null && name.length > maxNameLength)
    faults.push({
      field,
      message: `the name must be at most ${maxNameLength} characters long`,
      code: 'too_big',
    })
  return { email: address(value, field, faults), name: line(name ?? undefined, field, faults) }
}

/** As it is written into the header, with a name where there is one. */
export function readReplyTo(value: string, faults: FieldError[]): string {
  const { email, name } = mailbox(value, 'reply', faults)
  return name === null ? email : `"${name.replace(/["\\]/g, '\\$&')}" <${email}>`
}

function address(value: string, field: string, faults: FieldError[]): string {
  const message = addressFault(value)
  if (message !== undefined) faults.push({ field, message, code: 'invalid_string' })
  return normaliseEmail(value)
}

/** Text that ends up in a header: a line break in it would start another header. */
export function line(value: string | null | undefined, field: string, faults: FieldError[]): string | null {
  if (value && lineBreak.test(value))
    faults.push({ field, message: 'must not contain line breaks', code: 'invalid_string' })
  return value ?? null
}
