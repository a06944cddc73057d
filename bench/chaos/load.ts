// What goes on meanwhile: single sends, sends that are repeated under one key until they are answered, batches, events that start a
// workflow, and campaigns. Notes for every message whether it was promised; each has a recipient and subject of its own.
import { keyOf } from './relay'
import type { World } from './world'

export const senderDomain = 'acme-mail.com'
const from = `hello@${senderDomain}`
export const readers = 200
const letterEveryMs = 45_000
const batchSize = 10

export interface Account {
  projectId: string
  secretKey: string
  publicKey: string
}

export type Kind = 'send' | 'repeated' | 'batch' | 'event' | 'campaign'

export interface Promised {
  kind: Kind
  /** When it was answered with 200, in milliseconds since 1970. */
  at: number
}

export interface Load {
  /** By key (see `keyOf`): what was answered with 200. */
  promised: Map<string, Promised>
  /** What was asked and not answered with 200, by key: the status, 0 without an answer. */
  refused: Map<string, number>
  /** Answers by status. */
  statuses: Map<number, number>
  /** Subjects of the campaigns that were started. */
  letters: Map<string, string>
  /** One message by way of this instance; resolves whether it was promised. */
  canary(instance: number): Promise<string | undefined>
  stop(): Promise<void>
}

export function startLoad(world: World, account: Account, perSecond: number): Load {
  let counter = 0
  let stopped = false
  const load: Omit<Load, 'canary' | 'stop'> = {
    promised: new Map(),
    refused: new Map(),
    statuses: new Map(),
    letters: new Map(),
  }
  const urlOf = (number: number): string => world.instances[number % world.instances.length]!.program.url

  /** The status and body of the answer, once it has come whole; status 0 without one. */
  const ask = async (url: string, path: string, body: unknown, key?: string): Promise<Answer> => {
    const answer = await fetch(url + path, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${path === '/v1/track' ? account.publicKey : account.secretKey}`,
        'content-type': 'application/json',
        ...(key && { 'idempotency-key': key }),
      },
      body: JSON.stringify(body),
      keepalive: false,
      signal: AbortSignal.timeout(30_000),
    })
      .then(async given => ({ status: given.status, body: await given.json() }))
      .catch(() => ({ status: 0, body: undefined }))
    load.statuses.set(answer.status, (load.statuses.get(answer.status) ?? 0) + 1)
    return answer as Answer
  }
  const note = (kind: Kind, key: string, status: number): void => {
    if (status === 200) load.promised.set(key, { kind, at: Date.now() })
    else load.refused.set(key, status)
  }
  const message = () => {
    const number = ++counter
    return { from, to: `r${number}@example.org`, subject: `Receipt ${number}`, body: '<p>One lamp.</p>' }
  }

  const routes: Record<Exclude<Kind, 'campaign'>, (number: number) => Promise<void>> = {
    async send(number) {
      const one = message()
      note('send', keyOf(one.to, one.subject), (await ask(urlOf(number), '/v1/send', one)).status)
    },
    async repeated(number) {
      const one = message()
      let answer: Answer
      do {
        answer = await ask(urlOf(number++), '/v1/send', one, `receipt-${one.to}`)
        if (answer.status !== 200) await Bun.sleep(500)
      } while (answer.status !== 200 && !stopped)
      note('repeated', keyOf(one.to, one.subject), answer.status)
    },
    async batch(number) {
      const messages = Array.from({ length: batchSize }, message)
      const { status, body } = await ask(urlOf(number), '/v1/send/batch', { messages })
      for (const [place, one] of messages.entries())
        note(
          'batch',
          keyOf(one.to, one.subject),
          status === 200 ? body.data.results[place].statusCode : status,
        )
    },
    async event(number) {
      const email = `buyer${++counter}@example.org`
      const { status } = await ask(urlOf(number), '/v1/track', {
        email,
        event: 'order.placed',
        subscribed: true,
      })
      note('event', keyOf(email, 'Thank you'), status)
    },
  }

  const running = new Set<Promise<void>>()
  const start = (work: Promise<void>): void => {
    running.add(work)
    void work.finally(() => running.delete(work))
  }
  let tick = 0
  const timer = setInterval(() => {
    // While nothing is answered, requests must not pile up without end.
    if (running.size > 400) return
    const kind = (['send', 'repeated', 'send', 'event', 'send', 'repeated', 'event', 'batch'] as const)[
      tick++ % 8
    ]!
    start(routes[kind](tick))
  }, 1_000 / perSecond)

  /** A campaign is made and started by a client that repeats until it is done. */
  const letter = async (): Promise<void> => {
    const subject = `Letter ${++counter}`
    const draft = { name: subject, subject, body: '<p>News.</p>', from, ...toReaders }
    const repeat = async (path: () => string, body: unknown): Promise<Answer | undefined> => {
      for (let number = counter; !stopped; number++, await Bun.sleep(1_000)) {
        const answer = await ask(urlOf(number), path(), body)
        // 4xx to a start: an earlier one, whose answer was lost, has done it.
        if (answer.status >= 200 && answer.status < 500) return answer
      }
      return undefined
    }
    const made = await repeat(() => '/campaigns', draft)
    const id: string | undefined = made?.body?.data?.id
    if (!id || !(await repeat(() => `/campaigns/${id}/send`, {}))) return
    load.letters.set(subject, id)
  }
  const letters = setInterval(() => start(letter()), letterEveryMs)

  return {
    ...load,
    async canary(instance) {
      const one = message()
      const { status } = await ask(urlOf(instance), '/v1/send', one)
      note('send', keyOf(one.to, one.subject), status)
      return status === 200 ? keyOf(one.to, one.subject) : undefined
    },
    async stop() {
      stopped = true
      clearInterval(timer)
      clearInterval(letters)
      await Promise.all(running)
    },
  }
}

interface Answer {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: read as the wire holds it.
  body: any
}

const toReaders = {
  audienceType: 'FILTERED',
  audienceCondition: {
    logic: 'AND',
    groups: [{ filters: [{ field: 'data.list', operator: 'equals', value: 'letter' }] }],
  },
}

/** The readers of the campaigns, and the workflow that thanks for an order. */
export async function prepare(url: string, { secretKey }: Account): Promise<void> {
  const call = async (method: string, path: string, body: unknown) => {
    const headers = { authorization: `Bearer ${secretKey}`, 'content-type': 'application/json' }
    const answer = await fetch(url + path, { method, headers, body: JSON.stringify(body) })
    if (!answer.ok) throw new Error(`${method} ${path}: ${await answer.text()}`)
    return await answer.json()
  }
  for (let number = 1; number <= readers; number++)
    await call('POST', '/contacts', {
      email: readerAddress(number),
      subscribed: true,
      data: { list: 'letter' },
    })
  const template = await call('POST', '/templates', {
    ...{ name: 'Thanks', subject: 'Thank you', body: '<p>It is on its way.</p>', from },
  })
  const { id } = await call('POST', '/workflows', { name: 'Orders', eventName: 'order.placed' })
  await call('POST', `/workflows/${id}/steps`, {
    ...{ type: 'SEND_EMAIL', name: 'Thank', templateId: template.id, config: {}, autoConnect: true },
  })
  await call('PATCH', `/workflows/${id}`, { enabled: true })
}

export const readerAddress = (number: number): string => `reader${number}@example.com`
