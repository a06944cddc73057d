// What an answer of Amazon SES means for a message. Pure. Doubt means "try again"; only what SES says about the message itself is a
// refusal. What concerns the account, the credentials or the connection names no stage, so that a campaign stops instead of using up
// the patience of all its recipients.
import type { SendResult } from '../../mail/message'

/** The parts of an SDK error that count; a connection that broke has no status. */
export interface SesFault {
  name: string
  message: string
  status?: number
  /** Of a broken connection: `ECONNREFUSED`, `ETIMEDOUT`. */
  code?: string
}

const longest = 1_000

/** Reads whatever the SDK threw. */
export function readFault(error: unknown): SesFault {
  const { name, message, code, $metadata } = error as Record<string, unknown> & {
    $metadata?: { httpStatusCode?: number }
  }
  const status = $metadata?.httpStatusCode
  return {
    name: typeof name === 'string' ? name : 'Error',
    message: typeof message === 'string' ? message : String(error),
    ...(typeof status === 'number' ? { status } : {}),
    ...(typeof code === 'string' ? { code } : {}),
  }
}

/** Too many calls a second; the account's allowance for a day is another matter. */
export function isThrottled({ name, message, status }: SesFault): boolean {
  if (isOverQuota({ name, message })) return false
  return status === 429 || /^(TooManyRequests|Throttling|RequestThrottled|SlowDown)/.test(name)
}

function isOverQuota({ name, message }: Pick<SesFault, 'name' | 'message'>): boolean {
  return (
    /daily (message )?quota|daily sending (quota|limit)/i.test(message) || name === 'LimitExceededException'
  )
}

const credentialFaults =
  /^(UnrecognizedClient|InvalidSignature|SignatureDoesNotMatch|InvalidClientTokenId|InvalidAccessKeyId|AccessDenied|ExpiredToken|MissingAuthenticationToken|IncompleteSignature|NotAuthorized)/

/** Words for people: what a member of a project reads, without keys, account numbers and host names. */
export function describeFault(fault: SesFault): string {
  const { name, message, status } = fault
  if (name === 'CredentialsProviderError') return 'no credentials for SES were found on this machine'
  if (status === undefined) return `no answer from SES: ${fault.code ?? name}`
  if (credentialFaults.test(name)) return `SES refused the credentials of this instance (${name})`
  const words = message.replace(/arn:aws[\w-]*:\S+/g, '(an ARN)').replace(/[\s\p{Cc}]+/gu, ' ')
  return `${status} ${name}: ${words.trim()}`
}

/** What to do with the message to `recipient` that SES did not take. */
export function outcomeOfFault(fault: SesFault, recipient: string): SendResult {
  const { status } = fault
  const reply = { response: describeFault(fault).slice(0, longest), ...(status ? { code: status } : {}) }
  if (isThrottled(fault)) return { outcome: 'deferred', ...reply, stage: 'final' }
  if (!isAboutMessage(fault))
    return { outcome: 'deferred', ...reply, ...(isUncertain(fault) ? { mayHaveArrived: true } : {}) }
  const response = `${reply.response}${hintFor(fault, recipient)}`.slice(0, longest)
  return { outcome: 'refused', blame: 'other', ...reply, response, stage: 'final' }
}

/** It was never reached. */
const neverReached = /^(ECONNREFUSED|ConnectionRefused|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)$/

/** The connection broke, or time ran out, or something broke on the other side: it may have taken the message before. */
function isUncertain({ name, status, code }: SesFault): boolean {
  if (status !== undefined) return status === 500 || status === 504
  return code === undefined ? /Timeout|Abort/.test(name) : !neverReached.test(code)
}

/** `BadRequest` and `MessageRejected` are about what was sent; 413 is its size. */
function isAboutMessage({ name, status, message }: SesFault): boolean {
  if (isOverQuota({ name, message })) return false
  return name === 'MessageRejected' || /^BadRequest/.test(name) || status === 413
}

/** An account in the sandbox and a sender that SES does not know get the same words from it; the listed identity tells them apart. */
function hintFor({ name, message }: SesFault, recipient: string): string {
  if (name !== 'MessageRejected' || !/not verified/i.test(message)) return ''
  return message.toLowerCase().includes(recipient.toLowerCase())
    ? ' (the SES account is in the sandbox, which delivers to verified addresses only: ask AWS for production access)'
    : ' (the sender is not verified with SES in this region)'
}

export const emailTag = 'waxwing-email'

/** What a tag may hold. */
const taggable = /^[\w-]{1,256}$/

export function tagsOf(emailId: string): { Name: string; Value: string }[] {
  return taggable.test(emailId) ? [{ Name: emailTag, Value: emailId }] : []
}
