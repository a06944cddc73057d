// A transport for tests: keeps every message it is given and answers as the test scripted it. It reaches nothing.
import type { FinishedMessage, SendResult } from '../../mail/message'
import type { SenderIdentities, Transport } from './transport'

export type Script = SendResult | ((message: FinishedMessage) => SendResult | Promise<SendResult>)

export interface MemoryTransport extends Transport {
  /** Messages that were accepted, oldest first. */
  readonly sent: FinishedMessage[]
  /** Every message handed in, whatever became of it. */
  readonly attempts: FinishedMessage[]
  /** The outcomes of the next sends, one each; afterwards the standing answer counts again. */
  script(...outcomes: Script[]): void
  /** The answer to every send that has no scripted outcome. */
  always(outcome: Script): void
  /** What `verify` fails with; undefined makes it succeed. */
  breakVerify(message: string | undefined): void
  /** Deletes messages and scripts. */
  clear(): void
}

export interface MemoryTransportOptions {
  name?: Transport['name']
  signsItself?: boolean
  ratePerSecond?: number
  identities?: SenderIdentities
}

const delivered: SendResult = {
  outcome: 'accepted',
  delivered: true,
  response: '250 2.0.0 kept in memory',
  code: 250,
}

export function memoryTransport(options: MemoryTransportOptions = {}): MemoryTransport {
  const sent: FinishedMessage[] = []
  const attempts: FinishedMessage[] = []
  const scripted: Script[] = []
  let standing: Script = delivered
  let verifyFault: string | undefined
  return {
    name: options.name ?? 'memory',
    signsItself: options.signsItself ?? true,
    ...(options.ratePerSecond === undefined ? {} : { currentRate: async () => options.ratePerSecond! }),
    ...(options.identities ? { identities: options.identities } : {}),
    sent,
    attempts,
    script: (...outcomes) => void scripted.push(...outcomes),
    always: outcome => {
      standing = outcome
    },
    breakVerify: message => {
      verifyFault = message
    },
    clear() {
      sent.length = attempts.length = scripted.length = 0
      standing = delivered
    },
    async send(given) {
      // Its memory is used again.
      const message = { ...given, raw: Buffer.from(given.raw) }
      attempts.push(message)
      const answer = scripted.shift() ?? standing
      const result = typeof answer === 'function' ? await answer(message) : answer
      if (result.outcome === 'accepted') sent.push(message)
      return result
    },
    async verify() {
      if (verifyFault !== undefined) throw new Error(verifyFault)
      return 'memory: nothing leaves the process'
    },
    async close() {},
  }
}
