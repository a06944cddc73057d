// The API's errors as SMTP replies: reply code, enhanced code (RFC 3463), and the same sentence. Pure.
import { AppError } from '../../lib/errors'
import type { Logger } from '../log'

/** The code followed by the enhanced one. */
export interface SmtpReply {
  code: string | 421
  text: string
}

const longest = 400

/** A temporary refusal begins with 4: the other side keeps the message and comes back. */
export function replyForError(error: unknown): SmtpReply {
  if (!(error instanceof AppError))
    return { code: '451 4.3.0', text: 'An unexpected error occurred; try again later' }
  return { code: codeOf(error), text: sentence(error) }
}

function codeOf(error: AppError): SmtpReply['code'] {
  const { status, code, errors = [] } = error
  // A queue can't wait for the next month.
  if (code === 'BILLING_LIMIT_EXCEEDED') return '550 5.7.1'
  if (status === 401) return '535 5.7.8'
  if (status === 403) return '550 5.7.1'
  if (status === 408) return 421
  if (status === 413 || errors.some(item => item.code === 'too_big')) return '552 5.3.4'
  if (status === 422 && errors.some(item => item.field.startsWith('to'))) return '553 5.1.3'
  if (status === 423) return '450 4.3.2'
  if (status === 429) return '450 4.7.1'
  if (status >= 500) return '451 4.3.0'
  return '554 5.6.0'
}

/** One line; where a field is faulty, it says which and why. */
function sentence({ message, errors = [] }: AppError): string {
  const faults = errors.map(({ field, message: fault }) => (field === '' ? fault : `${field}: ${fault}`))
  return (faults.length > 0 ? faults.join('; ') : message).replace(/\s+/g, ' ').slice(0, longest)
}

/** What smtp-server answers for the error. One that nobody foresaw is ours and logged as such; all others are the client's. */
export function smtpRefusal(error: unknown, log?: Pick<Logger, 'info' | 'error'>): Error {
  const { code, text } = replyForError(error)
  if (!(error instanceof AppError)) log?.error({ error: String(error) }, 'a message by SMTP was not accepted')
  else if (code !== 421 && code.startsWith('451'))
    log?.info({ reason: text }, 'a message by SMTP was put off')
  return smtpError(code, text)
}

/**
 * smtp-server appends an enhanced code of its own to a numeric code, one for each, and 550 would be "no such mailbox". A code that comes
 * with its own is written as it is. The number 421 closes the connection.
 */
export function smtpError(code: string | 421, text: string): Error {
  return Object.assign(new Error(text), { responseCode: code as unknown as number })
}
