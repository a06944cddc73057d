// SMTP replies: from bytes to lines, and from a reply to what it means for the message. Pure.
import { type GivenAnswer, isAboutSignIn, judge, type Meaning, type RefusedAt } from '../bounces'
import type { Reply, SendResult, SmtpStage } from '../message'

/** A reply and the stage it answers. Without a code it is not the other side's: the connection broke, and the words are ours. */
export interface StagedReply extends Reply {
  stage: SmtpStage
  /** The texts of the single lines, for the list of extensions. */
  lines?: string[]
}

export interface ParsedReply {
  /** Undefined when this is not an SMTP reply. */
  code?: number
  enhanced?: string
  response: string
  lines?: string[]
}

export interface ReplyReader {
  /** The replies that `chunk` completes. */
  push(chunk: Uint8Array): ParsedReply[]
}

const maxResponse = 1_000
/** Whatever sends more than this without a complete reply is not an SMTP server. RFC 5321 allows 512 octets a line. */
const maxPending = 64 * 1024

/** Puts together replies that arrive in any pieces, several in one piece included. */
export function makeReplyReader(): ReplyReader {
  const decoder = new TextDecoder()
  let pending = ''
  let lines: string[] = []
  let size = 0
  return {
    push(chunk) {
      const replies: ParsedReply[] = []
      const parts = (pending + decoder.decode(chunk, { stream: true })).split('\n')
      pending = parts.pop() ?? ''
      for (const part of parts) {
        lines.push(part.endsWith('\r') ? part.slice(0, -1) : part)
        size += part.length
        if (/^\d{3}-/.test(lines[lines.length - 1]!) && size <= maxPending) continue
        replies.push(lines.length === 1 ? parseLine(lines[0]!) : parseReply(lines))
        lines = []
        size = 0
      }
      if (pending.length + size > maxPending) {
        replies.push({ response: 'the reply is too long' })
        pending = ''
      }
      return replies
    },
  }
}

/** What a relay says to most commands is the same for each message. */
const knownLines = new Map<string, ParsedReply>()
const maxKnownLines = 100

function parseLine(line: string): ParsedReply {
  const known = knownLines.get(line)
  if (known) return known
  const reply = parseReply([line])
  if (knownLines.size >= maxKnownLines) knownLines.clear()
  if (line.length <= maxResponse) knownLines.set(line, reply)
  return reply
}

/** Reads the lines of one reply. The first enhanced code counts; lines are joined by spaces. */
export function parseReply(lines: string[]): ParsedReply {
  const code = lines[0]?.slice(0, 3) ?? ''
  const wellFormed =
    /^[2-5]\d\d$/.test(code) &&
    lines.every(line => line.startsWith(code) && /^(?:[ -]|$)/.test(line.slice(3)))
  if (!wellFormed)
    return { response: `not an SMTP reply: ${printable(lines.join(' '))}`.slice(0, maxResponse) }
  const texts = lines.map(line => line.slice(4))
  const first = texts.findIndex(text => enhancedCode(text) !== undefined)
  const enhanced = enhancedCode(texts[first] ?? '')
  const words = texts.map((text, at) =>
    at > first && enhanced && text.startsWith(`${enhanced} `) ? text.slice(enhanced.length) : text,
  )
  return {
    code: Number(code),
    enhanced,
    response: printable(`${code} ${words.join(' ')}`).slice(0, maxResponse),
    lines: texts,
  }
}

function enhancedCode(text: string): string | undefined {
  return /^([245]\.\d{1,3}\.\d{1,3})(?=\s|$)/.exec(text)?.[1]
}

/** Replies end up in logs, rows and terminals. */
function printable(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, ' ').trim()
}

/**
 * What the reply that ended a delivery means. Doubt means "try again": a broken connection (also after the final dot, when the
 * message may have arrived: at least once), a plain and an enhanced code of which only one is permanent, and a server that
 * rejects us or our password, which says nothing about the message and is for whoever runs this to fix.
 */
export function toSendResult({ lines: _, ...reply }: StagedReply): SendResult {
  const { code, enhanced, stage } = reply
  if (stage === 'final' && code !== undefined && code >= 200 && code < 300)
    return { outcome: 'accepted', delivered: true, ...reply, ...providerIdOf(reply) }
  const permanent = code !== undefined && code >= 500 && !enhanced?.startsWith('4.') && isAboutMessage(reply)
  if (!permanent)
    return { outcome: 'deferred', ...reply, ...(isUncertain(reply) ? { mayHaveArrived: true } : {}) }
  const meaning = meaningOf(reply)
  return { outcome: 'refused', blame: meaning === 'dead' ? 'address' : 'other', meaning, ...reply }
}

/** The connection broke when the last of the message was on its way. */
function isUncertain({ code, stage }: Pick<StagedReply, 'code' | 'stage'>): boolean {
  return code === undefined && (stage === 'body' || stage === 'final')
}

const beforeMessage: readonly SmtpStage[] = ['connect', 'greeting', 'ehlo', 'starttls', 'auth']

function isAboutMessage({ stage, code }: Pick<StagedReply, 'stage' | 'code'>): boolean {
  return !beforeMessage.includes(stage) && !isAboutSignIn(code)
}

/** The stages of a session as the library of refusals names them. */
const places: Readonly<Record<SmtpStage, RefusedAt>> = {
  connect: 'connect',
  greeting: 'connect',
  ehlo: 'hello',
  starttls: 'hello',
  auth: 'hello',
  mail: 'mail',
  rcpt: 'rcpt',
  data: 'data',
  body: 'data',
  final: 'data',
}

/** An answer as the library of refusals wants it. */
export function asAnswer({ outcome, stage, code, enhanced, response }: SendResult): GivenAnswer {
  const at = stage && places[stage]
  return { at, code, status: enhanced, words: response, temporary: outcome === 'deferred' }
}

/** What a permanent refusal means. */
function meaningOf({ code, enhanced, stage, response }: StagedReply): Meaning {
  return judge({ at: places[stage], code, status: enhanced, words: response }).meaning
}

/** The id that Amazon SES gives a message which it took by SMTP; its notifications name the message by that. */
function providerIdOf({ response }: StagedReply): { providerId?: string } {
  const providerId = /^250 Ok ([0-9a-f]{16}-[0-9a-f-]{36}-[0-9]{6})$/.exec(response)?.[1]
  return providerId ? { providerId } : {}
}
