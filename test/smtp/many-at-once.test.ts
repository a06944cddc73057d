// Many messages at once share connections and memory: each arrives as it was composed, whatever becomes of the others.
import { expect, test } from 'bun:test'
import { generateKeyPairSync } from 'node:crypto'
import type { ComposedMail } from '../../src/mail/mime/mail'
import { silentLogger } from '../../src/platform/log'
import { makeMetrics } from '../../src/platform/metrics'
import { liveRequests } from '../../src/platform/requests'
import { finishedBytes, handOver } from '../../src/platform/transports/hand-over'
import { withZoo } from '../support/smtp-mail'

const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 1024,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
})
const key = { domain: 'x.test', selector: 'wx', privateKey }

const mailOf = (number: number): ComposedMail => ({
  from: 'a@x.test',
  to: `u${number}@y.test`,
  subject: `Number ${number}`,
  html: '',
  // Lines that begin with a dot are copied in another way.
  text: `${number}\n.${number} `.repeat(100 * (1 + (number % 50))),
  headers: {},
  attachments: [],
  messageId: `${number}@x.test`,
  date: new Date('2026-01-01T00:00:00Z'),
})

const numbers = Array.from({ length: 300 }, (_, number) => number)

test('each of 300 messages arrives as it was composed, with answers that fail in between', () =>
  withZoo(
    { answers: { final: ['250 ok', { drop: true }, '451 later', '250 ok', { silent: true }] } },
    async ({ zoo, relay }) => {
      const ctx = {
        mail: relay,
        log: silentLogger,
        clock: { now: () => new Date() },
        requests: liveRequests(),
        metrics: makeMetrics(),
      }
      const send = async (number: number): Promise<string> => {
        const to = `u${number}@y.test`
        const facts = { id: `${number}`, kind: 'transactional' as const, from: 'a@x.test', to }
        const { tries } = await handOver(ctx, facts, async () => ({ mail: mailOf(number), key }))
        return tries[0]!.result.outcome
      }
      const outcomes = await Promise.all(numbers.map(send))
      expect(outcomes.filter(outcome => outcome === 'accepted').length).toBe(numbers.length - 3)
      const arrived = new Map(zoo.messages.map(({ to, raw }) => [to[0], raw]))
      for (const number of numbers) {
        if (outcomes[number] !== 'accepted') continue
        const composed = await finishedBytes({ mail: mailOf(number), key })
        expect(arrived.get(`<u${number}@y.test>`)).toBe(Buffer.from(composed).toString('latin1'))
      }
    },
    { query: 'pool=5', limits: { finalMs: 500 } },
  ))
