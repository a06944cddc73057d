// The sendmail transport: the mail system of this machine, by the command that each of them brings (Postfix, Exim, OpenSMTPD, msmtp).
// nodemailer runs it; it is loaded with the first message, so that others pay nothing for it.
import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { minute } from '../../lib/time'
import type { FinishedMessage, SendResult } from '../../mail/message'
import type { Transport } from './transport'

export interface SendmailOptions {
  /** Of the command. */
  path: string
  timeLimitMs?: number
}

/** Generous, because giving up early means sending twice. */
export const sendmailLimitMs = 5 * minute

export function sendmailTransport({ path, timeLimitMs = sendmailLimitMs }: SendmailOptions): Transport {
  let loaded: ReturnType<typeof load> | undefined
  return {
    name: 'sendmail',
    signsItself: true,
    async send(message) {
      loaded ??= load(path)
      const mailer = await loaded
      return await within(timeLimitMs, run(mailer, message))
    },
    async verify() {
      await access(path, constants.X_OK).catch(() => {
        throw new Error(`there is no command ${path} that may be run; SENDMAIL_PATH names another`)
      })
      return `sendmail: ${path}`
    },
    close: async () => {},
  }
}

/** Lines end as on this machine: some commands pass a CR on as a part of the line. */
async function load(path: string) {
  const { createTransport } = await import('nodemailer')
  return createTransport({ sendmail: true, path, newline: 'unix' })
}

type Mailer = Awaited<ReturnType<typeof load>>

async function run(mailer: Mailer, { envelope, raw }: FinishedMessage): Promise<SendResult> {
  try {
    const { to, also = [] } = envelope
    const from = envelope.returnPath ?? envelope.from
    await mailer.sendMail({ envelope: { from, to: [to, ...also] }, raw: Buffer.from(raw) })
    return { outcome: 'accepted', delivered: true, response: 'taken by sendmail' }
  } catch (error) {
    return resultOfFault(error as Error)
  }
}

async function within(limitMs: number, work: Promise<SendResult>): Promise<SendResult> {
  const { promise, resolve } = Promise.withResolvers<SendResult>()
  const response = `sendmail did not end within ${limitMs / 1000} seconds`
  const timer = setTimeout(() => resolve({ outcome: 'deferred', response, mayHaveArrived: true }), limitMs)
  return await Promise.race([work, promise]).finally(() => clearTimeout(timer))
}

/**
 * Exit codes are those of sysexits.h. Only two are about the message itself: 65 (its data) and 67 (no such user here). Doubt means "try
 * again"; and what names no stage, as here, counts as a fault of the transport and not of the message.
 */
export function resultOfFault({ message }: Error): SendResult {
  const response = message.slice(0, 1_000)
  const exit = Number(/exited with code (\d+)/.exec(message)?.[1])
  if (exit === 67) return { outcome: 'refused', blame: 'address', response }
  if (exit === 65 || /Invalid envelope/.test(message)) return { outcome: 'refused', blame: 'other', response }
  return { outcome: 'deferred', response }
}
