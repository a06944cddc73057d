// Short ways to a transport with its time limits and to messages for it.

import type { FinishedMessage } from '../../src/mail/message'
import type { SmtpLimits } from '../../src/mail/smtp/options'
import { smtpTransport } from '../../src/platform/transports/smtp'
import type { Transport } from '../../src/platform/transports/transport'
import { startZoo, type Zoo } from './smtp-zoo'
import type { ZooOptions } from './smtp-zoo-conversation'

/** For tests in which an answer comes, on a machine however busy. */
const patientLimits: SmtpLimits = {
  connectMs: 30_000,
  greetingMs: 30_000,
  commandMs: 30_000,
  reusedMs: 30_000,
  bodyMs: 30_000,
  finalMs: 30_000,
  overdueMs: 30_000,
  idleMs: 60_000,
}

/** For those in which none comes. */
export const shortLimits: SmtpLimits = {
  connectMs: 300,
  greetingMs: 150,
  commandMs: 150,
  reusedMs: 150,
  bodyMs: 150,
  finalMs: 150,
  overdueMs: 150,
  idleMs: 5_000,
}

export const plainText =
  'From: a@x.test\r\nTo: b@y.test\r\nSubject: hello\r\n\r\nfirst line\r\n.dot\r\n..dots\r\n'

let count = 0

export function mail(
  changes: { from?: string; to?: string; also?: string[]; raw?: string | Uint8Array } = {},
): FinishedMessage {
  const { from = 'a@x.test', to = 'b@y.test', also, raw = plainText } = changes
  const envelope = { from, to, ...(also ? { also } : {}) }
  return { id: `message-${++count}`, envelope, raw: Buffer.from(raw) }
}

export interface ZooWorld {
  zoo: Zoo
  relay: Transport
}

export interface WorldOptions {
  scheme?: 'smtp' | 'smtps'
  /** `user:password@` */
  login?: string
  query?: string
  limits?: Partial<SmtpLimits>
}

/** Runs `work` with a scripted server and a transport to it, one connection unless the query says otherwise. */
export async function withZoo(
  script: ZooOptions,
  work: (world: ZooWorld) => Promise<void>,
  { scheme = 'smtp', login = '', query = '', limits = {} }: WorldOptions = {},
): Promise<void> {
  const zoo = await startZoo(script)
  const url = `${scheme}://${login}127.0.0.1:${zoo.port}?${query.includes('pool=') ? query : `pool=1&${query}`}`
  const relay = smtpTransport({ url: url.replace(/&$/, ''), limits: { ...patientLimits, ...limits } })
  try {
    await work({ zoo, relay })
  } finally {
    await relay.close()
    await zoo.close()
  }
}
