// The hostile tenants of bench/soak.ts, as a process of their own: everything in the tests' corpora, and floods, heavy filters, loops,
// imports and webhooks that hang, all at once; and strangers at every port. It reads what it needs from its first line on stdin, and then obeys `on [ways]`, `off` and
// `count`; each is answered with a line: how often each status came back for each way.
import { setPriority } from 'node:os'
import { hostileForms } from '../../test/data/hostile-forms'
import { hostileTemplates } from '../../test/data/hostile-templates'
import { strangersCalls } from '../../test/data/hostile-webhooks'
import { type Doors, keepMailing, keepPosting, keepTakingPlaces } from './soak-strangers'
import type { Tenant } from './soak-tenants'

export interface HostileTask {
  url: string
  tenants: Tenant[]
  /** Accepts calls and never answers. */
  hangingUrl: string
  doors: Doors
}

interface Call {
  method?: string
  path: string
  key?: string
  json?: unknown
  body?: string | Uint8Array<ArrayBuffer> | FormData
  type?: string
}

const patienceMs = 30_000
const pauseMs = 100
const answers = new Map<string, number>()
let isOn = false
let routes: string[] = []

/** What nobody could call hostile: a campaign, and as many calls as are allowed. It is made only when it is named. */
const control = 'ordinary'

const isWanted = (route: string): boolean =>
  routes.length === 0 ? route !== control : routes.includes(route)

function count(route: string, what: string | number): void {
  const name = `${route} ${what}`
  answers.set(name, (answers.get(name) ?? 0) + 1)
}

async function ask(url: string, route: string, { method = 'POST', path, key, json, body, type }: Call) {
  const headers: Record<string, string> = {}
  if (key) headers['authorization'] = `Bearer ${key}`
  if (json !== undefined) headers['content-type'] = 'application/json'
  if (type) headers['content-type'] = type
  try {
    const answer = await fetch(url + path, {
      method,
      headers,
      body: json === undefined ? body : JSON.stringify(json),
      signal: AbortSignal.timeout(patienceMs),
      redirect: 'manual',
    })
    const text = await answer.text()
    count(route, answer.status)
    return { status: answer.status, text }
  } catch (error) {
    count(route, error instanceof Error ? error.name : 'failed')
    return { status: 0, text: '' }
  }
}

/** Makes one call after another while it is on, whatever the answers are. */
async function keepAsking(url: string, route: string, next: (n: number) => Call): Promise<never> {
  for (let n = 0; ; n++) {
    await untilTrue(() => isOn && isWanted(route))
    await ask(url, route, next(n))
    await Bun.sleep(pauseMs)
  }
}

/** Makes that many calls per second, however long the answers take. */
function flood(url: string, route: string, perSecond: number, next: (n: number) => Call): void {
  let n = 0
  let underway = 0
  setInterval(() => {
    if (!(isOn && isWanted(route)) || underway > 200) return
    underway++
    void ask(url, route, next(n++)).finally(() => underway--)
  }, 1_000 / perSecond)
}

const unknownId = '01900000-0000-7000-8000-000000000000'
const form = 'application/x-www-form-urlencoded'
const email = (n: number): string => `victim-${n % 500}@example.net`

/** Much for the database to read, with nothing found: thirty conditions on events and on parts of texts. */
const heavy = {
  logic: 'OR',
  groups: Array.from({ length: 10 }, (_, group) => ({
    filters: Array.from({ length: 3 }, (__, at) =>
      at === 0
        ? {
            field: `event.visit${group}`,
            operator: 'triggeredOlderThan',
            value: 3_000 + group,
            unit: 'days',
          }
        : { field: `data.note${at}`, operator: 'contains', value: `needle ${group} ${at}` },
    ),
  })),
}

/** 4.3 MB of text that hardly gets smaller when it is compressed. */
function csv(rows: number): string {
  const note = () => Buffer.from(crypto.getRandomValues(new Uint8Array(150))).toString('base64')
  const lines = Array.from({ length: rows }, (_, n) => `i-${n}@example.net,Name ${n},${note()}`)
  return `email,name,note\n${lines.join('\n')}\n`
}

function begin({ url, tenants, hangingUrl, doors }: HostileTask): void {
  const whileOn = (route: string): Promise<void> => untilTrue(() => isOn && isWanted(route))
  void keepTakingPlaces(url, doors, whileOn, count)
  const file = csv(20_000)
  for (const tenant of tenants) {
    const { secretKey: key, publicKey, domain } = tenant
    const template = (n: number) => hostileTemplates[n % hostileTemplates.length]!
    for (let lane = 0; lane < 3; lane++) {
      const from = lane * 20
      void keepAsking(url, 'send', n => {
        const { body, data } = template(n + from)
        return {
          path: '/v1/send',
          key,
          json: { from: `a@${domain}`, to: email(n), subject: 'x', body, ...(data && { data }) },
        }
      })
      void keepAsking(url, 'preview', n => {
        const { body, data = {} } = template(n + from + 10)
        const json = { subject: 'x', body: `${body}${n % 7}`, type: 'TRANSACTIONAL', data }
        return { path: '/templates/preview', key, json }
      })
    }
    for (let lane = 0; lane < 4; lane++)
      void keepAsking(url, 'filter', () => ({
        method: 'POST',
        path: '/segments',
        key,
        json: { name: `Heavy ${Math.random()}`, condition: heavy, trackMembership: lane === 0 },
      }))
    void keepAsking(url, 'form', n => {
      const each = hostileForms[n % hostileForms.length]!
      const path = each.path.replace('ID', unknownId).replace('QUERY', 't=x')
      return { path, body: each.body, type: each.type ?? form }
    })
    void keepAsking(url, 'auth', n => ({
      path: n % 2 ? '/auth/login' : '/auth/signup',
      type: 'application/json',
      body: n % 3 ? `{"email":"${'a'.repeat(15_000)}@b.co","password":"x"}` : '['.repeat(16_000),
    }))
    void keepAsking(url, 'sns', n => strangersCalls[n % strangersCalls.length]!)
    void keepAsking(url, 'import', () => {
      const body = new FormData()
      body.set('file', new File([file], 'people.csv', { type: 'text/csv' }))
      return { path: '/contacts/import', key, body }
    })
    flood(url, 'wrong-key', 25, n => ({ path: '/v1/track', key: `sk_${n}`, json: { email: email(n) } }))
    flood(url, 'public-key', 25, n => ({
      path: '/v1/track',
      key: publicKey,
      json: { email: email(n), event: n % 2 ? 'loop.a' : 'hang' },
    }))
    flood(url, control, 16, n => ({
      path: '/v1/send',
      key,
      json: { from: `a@${domain}`, to: email(n), subject: 'Your order', body: '<p>Hello {{name}}</p>' },
    }))
    flood(url, control, 16, n => ({
      path: '/v1/track',
      key: publicKey,
      json: { email: email(n), event: 'order.placed' },
    }))
    void keepMailing(doors, tenant, whileOn, count)
    void keepPosting(url, tenant, whileOn, count)
    void keepSendingCampaigns(url, tenant)
    void makeWorkflows(url, tenant, hangingUrl)
  }
}

/** One to all contacts each time that it is on, cancelled when it is off. */
async function keepSendingCampaigns(url: string, { secretKey: key, domain }: Tenant): Promise<never> {
  const isNow = (): boolean => isOn && isWanted(control)
  for (;;) {
    await untilTrue(isNow)
    const json = {
      ...{ name: 'News', subject: 'News', body: '<p>Hello {{name}}</p>' },
      ...{ from: `news@${domain}`, audienceType: 'ALL' },
    }
    const made = await ask(url, control, { path: '/campaigns', key, json })
    const path = `/campaigns/${JSON.parse(made.text).data?.id}`
    await ask(url, control, { path: `${path}/send`, key, json: {} })
    await untilTrue(() => !isNow())
    await ask(url, control, { path: `${path}/cancel`, key })
  }
}

async function untilTrue(holds: () => boolean): Promise<void> {
  while (!holds()) await Bun.sleep(50)
}

/** Two workflows that set each other off by what they do to the contact, and one whose call is never answered. */
async function makeWorkflows(url: string, { secretKey: key }: Tenant, hangingUrl: string): Promise<void> {
  const subscribe = (subscriptionAction: string) => ({
    type: 'UPDATE_CONTACT',
    config: { subscriptionAction },
  })
  const specs: Array<[event: string, steps: Array<{ type: string; config: object }>]> = [
    ['loop.a', [subscribe('unsubscribe')]],
    ['contact.unsubscribed', [subscribe('subscribe')]],
    ['contact.subscribed', [subscribe('unsubscribe')]],
    ['hang', [{ type: 'WEBHOOK', config: { url: hangingUrl, method: 'POST' } }]],
  ]
  const must = async (method: string, path: string, json?: unknown) => {
    const { status, text } = await ask(url, 'setup', { method, path, key, ...(json ? { json } : {}) })
    if (status >= 300 || status === 0) throw new Error(`${method} ${path}: ${status} ${text}`)
    return JSON.parse(text)
  }
  for (const [eventName, steps] of specs) {
    const { id } = await must('POST', '/workflows', { name: eventName, eventName })
    let fromStepId = (await must('GET', `/workflows/${id}`)).steps[0].id
    for (const step of steps) {
      const made = await must('POST', `/workflows/${id}/steps`, {
        ...step,
        name: step.type,
        autoConnect: false,
      })
      await must('POST', `/workflows/${id}/transitions`, { fromStepId, toStepId: made.id })
      fromStepId = made.id
    }
    await must('PATCH', `/workflows/${id}`, { enabled: true, allowReentry: true, maxStartsPerHour: 10_000 })
  }
}

/** `on` alone means all ways. */
function obey([word, ...only]: string[]): void {
  if (word === 'on') routes = only
  if (word === 'on' || word === 'off') isOn = word === 'on'
}

// Strangers have processors of their own: here they share those of the program, and must not take them from it.
setPriority(19)
let isBegun = false
for await (const line of console) {
  if (!isBegun) {
    isBegun = true
    begin(JSON.parse(line) as HostileTask)
  } else obey(line.trim().split(' '))
  console.log(JSON.stringify(Object.fromEntries([...answers].sort())))
}
