// The SMTP transport: any relay, over pooled connections of our own client. A message is handed over at least once; whether and
// when to try again is the caller's business.
import { readFileSync } from 'node:fs'
import { type FinishedMessage, type SendResult, withdrawn } from '../../mail/message'
import { accessTokens } from '../../mail/smtp/access-token'
import { parseSmtpUrl, type SmtpLimits } from '../../mail/smtp/options'
import { makePool } from '../../mail/smtp/pool'
import { toSendResult } from '../../mail/smtp/reply'
import { openSmtpSession } from '../../mail/smtp/session'
import { defaultClientName, type SmtpSessionOptions } from '../../mail/smtp/sign-in'
import type { Transport } from './transport'

export interface SmtpTransportOptions {
  /** As in SMTP_URL. */
  url: string
  /** What EHLO says we are; `?name=` in the URL wins, the machine's name is the default. */
  clientName?: string
  /** Replaces single time limits. */
  limits?: Partial<SmtpLimits>
}

/** Throws when the URL or the CA file it names is faulty; the message never holds the password. */
export function smtpTransport(given: SmtpTransportOptions): Transport {
  const options = sessionOptions(given)
  const open = () => openSmtpSession(options)
  const pool = makePool(open, {
    size: options.pool,
    maxMessages: options.maxMessages,
    idleMs: options.limits.idleMs,
  })

  async function attempt(
    message: FinishedMessage,
    fresh: boolean,
  ): Promise<{ result: SendResult; stale: boolean }> {
    const opened = await pool.take(fresh)
    if ('fault' in opened) return { result: toSendResult(opened.fault), stale: false }
    const { session } = opened
    if (message.signal?.aborted) {
      pool.giveBack(session)
      return { result: withdrawn, stale: false }
    }
    const overdue = setTimeout(() => pool.giveUp(session), options.limits.overdueMs)
    const done = await session.transact(message)
    clearTimeout(overdue)
    pool.giveBack(session)
    return done
  }

  return {
    name: 'smtp',
    signsItself: true,
    async send(message) {
      const first = await attempt(message, false)
      // Relays close idle connections at will. What was lost before they saw the message goes again at once, on a fresh one.
      return first.stale ? (await attempt(message, true)).result : first.result
    },
    verify: () => verify(options),
    close: () => pool.close(),
  }
}

function sessionOptions({ url, clientName, limits }: SmtpTransportOptions): SmtpSessionOptions {
  const options = parseSmtpUrl(url)
  return {
    ...options,
    clientName: options.clientName ?? clientName ?? defaultClientName(),
    limits: { ...options.limits, ...limits },
    accessToken: options.oauth && accessTokens(options.oauth),
    ca: options.tls.caFile === undefined ? undefined : readAuthorities(options.tls.caFile),
  }
}

function readAuthorities(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new Error(`SMTP_URL: cannot read the tls.ca file ${path}`, { cause: error })
  }
}

/** A separate connection, so that what doctor says is true now. */
async function verify(options: SmtpSessionOptions): Promise<string> {
  const address = `${options.host}:${options.port}`
  const opened = await openSmtpSession(options)
  if ('fault' in opened) throw new Error(`${address}: ${opened.fault.stage}: ${opened.fault.response}`)
  const { session } = opened
  const tls = session.connection.tlsVersion()
  const answer = await session.noop()
  await session.quit()
  if (answer.code === undefined || answer.code >= 400) throw new Error(`${address}: NOOP: ${answer.response}`)
  const secured = tls
    ? `${tls}${options.tls.rejectUnauthorized ? '' : ' (certificate not checked)'}`
    : 'no TLS'
  const user = options.oauth ? `${options.oauth.user} by OAuth 2.0` : options.credentials?.user
  return `smtp: ${address}, ${secured}, ${user === undefined ? 'no sign-in' : `signed in as ${user}`}`
}
