// Sending through SES with the real client: against the local server from npm, and against one that can fail.
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { AddressInfo } from 'node:net'
import localSes from 'aws-ses-v2-local'
import { bufferWithHeadroom } from '../../src/lib/headroom'
import type { Transport } from '../../src/platform/transports/transport'
import { letterTo, type SesServer, startSes, transportTo } from '../support/ses'

let ses: SesServer
let transport: Transport
beforeEach(() => {
  ses = startSes()
  transport = transportTo(ses.url, { configurationSet: 'reports' })
})
afterEach(async () => {
  await transport.close()
  ses.stop()
})

describe('the local server from npm', () => {
  const local = localSes({ host: '127.0.0.1', port: 0 })
  afterAll(async () => void (await local).close())

  test('takes a message and shows what arrived', async () => {
    const url = `http://127.0.0.1:${((await local).address() as AddressInfo).port}`
    const client = transportTo(url)
    const result = await client.send(letterTo('ada@example.com'))
    await client.close()
    expect(result).toMatchObject({ outcome: 'accepted', delivered: false })
    const { emails } = (await (await fetch(`${url}/store`)).json()) as {
      emails: { messageId: string; subject: string; destination: { to: string[] } }[]
    }
    expect(emails).toMatchObject([{ subject: 'Hello', destination: { to: ['ada@example.com'] } }])
    expect(result.outcome === 'accepted' && result.providerId).toBe(emails[0]!.messageId)
  })
})

test('a message leaves byte for byte, with its envelope, configuration set and tag', async () => {
  const letter = letterTo('ada@example.com', '019a0000-0000-7000-8000-000000000001')
  expect(await transport.send(letter)).toEqual({
    outcome: 'accepted',
    delivered: false,
    response: 'accepted as 0100-1',
    providerId: '0100-1',
  })
  expect(ses.sent).toEqual([
    {
      from: 'hello@acme-mail.com',
      to: ['ada@example.com'],
      raw: Buffer.from(letter.raw).toString('latin1'),
      set: 'reports',
      tags: { 'waxwing-email': letter.id },
    },
  ])
})

test('a large message leaves from the memory that it is in', async () => {
  const letter = letterTo('ada@example.com')
  const raw = bufferWithHeadroom(letter.raw.length)
  raw.set(letter.raw)
  expect(await transport.send({ ...letter, raw })).toMatchObject({ outcome: 'accepted' })
  expect(ses.sent[0]!.raw).toBe(Buffer.from(letter.raw).toString('latin1'))
})

test('the configuration set without tracking is preferred, and none is named where there is none', async () => {
  const quiet = transportTo(ses.url, { configurationSet: 'reports', configurationSetNoTracking: 'quiet' })
  const none = transportTo(ses.url)
  await quiet.send(letterTo('a@example.com'))
  await none.send(letterTo('a@example.com'))
  expect(ses.sent.map(sent => sent.set)).toEqual(['quiet', undefined])
  await Promise.all([quiet.close(), none.close()])
})

test('connections are kept', async () => {
  for (let n = 0; n < 20; n++) await transport.send(letterTo(`a${n}@example.com`))
  expect(ses.connections()).toBe(1)
  await Promise.all(Array.from({ length: 40 }, (_, n) => transport.send(letterTo(`b${n}@example.com`))))
  await Promise.all(Array.from({ length: 40 }, (_, n) => transport.send(letterTo(`c${n}@example.com`))))
  expect(ses.connections()).toBeLessThanOrEqual(41)
})

interface Row {
  name: string
  status: number
  type: string
  message: string
  result: object
  /** Set where the answer is about this message; a campaign goes on after such. */
  stage?: 'final'
  /** Part of what people read. */
  says: string
}

const rows: Row[] = [
  {
    name: 'too many messages a second are tried again, and are no fault of the transport',
    status: 429,
    type: 'TooManyRequestsException',
    message: 'Maximum sending rate exceeded.',
    result: { outcome: 'deferred', code: 429 },
    stage: 'final',
    says: 'Maximum sending rate exceeded',
  },
  {
    name: 'throttling under its other name likewise',
    status: 400,
    type: 'ThrottlingException',
    message: 'Rate exceeded',
    result: { outcome: 'deferred', code: 400 },
    stage: 'final',
    says: 'Rate exceeded',
  },
  {
    name: "a used-up day's quota is tried again and stops a campaign",
    status: 429,
    type: 'TooManyRequestsException',
    message: 'Daily message quota exceeded.',
    result: { outcome: 'deferred' },
    says: 'Daily message quota exceeded',
  },
  {
    name: 'a fault of SES itself is tried again',
    status: 500,
    type: 'InternalServiceErrorException',
    message: 'oops',
    result: { outcome: 'deferred' },
    says: '500',
  },
  {
    name: 'an account that may not send is tried again',
    status: 400,
    type: 'SendingPausedException',
    message: 'Sending is paused for this account.',
    result: { outcome: 'deferred' },
    says: 'Sending is paused',
  },
  {
    name: 'a suspended account likewise',
    status: 400,
    type: 'AccountSuspendedException',
    message: 'suspended',
    result: { outcome: 'deferred' },
    says: 'suspended',
  },
  {
    name: 'a configuration set that is gone is for the operator to mend',
    status: 404,
    type: 'NotFoundException',
    message: 'Configuration set <reports> does not exist.',
    result: { outcome: 'deferred' },
    says: 'does not exist',
  },
  {
    name: 'refused credentials are told without the account behind them',
    status: 403,
    type: 'AccessDeniedException',
    message: 'User: arn:aws:iam::123456789012:user/mail is not authorized to perform ses:SendEmail',
    result: { outcome: 'deferred' },
    says: 'refused the credentials of this instance (AccessDeniedException)',
  },
  {
    name: 'a message that SES rejects is refused, and the address is not to blame',
    status: 400,
    type: 'MessageRejected',
    message: 'Transaction failed: virus detected',
    result: { outcome: 'refused', blame: 'other' },
    stage: 'final',
    says: 'virus detected',
  },
  {
    name: 'an account in the sandbox says so',
    status: 400,
    type: 'MessageRejected',
    message:
      'Email address is not verified. The following identities failed the check in region EU-CENTRAL-1: ada@example.com',
    result: { outcome: 'refused', blame: 'other' },
    stage: 'final',
    says: 'the SES account is in the sandbox',
  },
  {
    name: 'a sender that SES does not know is told apart from the sandbox',
    status: 400,
    type: 'MessageRejected',
    message:
      'Email address is not verified. The following identities failed the check in region EU-CENTRAL-1: hello@acme-mail.com',
    result: { outcome: 'refused', blame: 'other' },
    stage: 'final',
    says: 'the sender is not verified with SES in this region',
  },
  {
    name: 'a request that SES finds faulty is refused',
    status: 400,
    type: 'BadRequestException',
    message: 'Missing final @domain',
    result: { outcome: 'refused', blame: 'other' },
    stage: 'final',
    says: 'Missing final @domain',
  },
  {
    name: 'what nobody has heard of is tried again',
    status: 418,
    type: 'TeapotException',
    message: 'short and stout',
    result: { outcome: 'deferred' },
    says: 'short and stout',
  },
]

describe('an answer', () => {
  for (const { name, result, stage, says, ...answer } of rows)
    test(name, async () => {
      ses.script(answer)
      const outcome = await transport.send(letterTo('ada@example.com'))
      expect(outcome).toMatchObject(result)
      expect(outcome.stage).toBe(stage)
      expect(outcome.response).toContain(says)
      expect(outcome.response).not.toMatch(/arn:|123456789012/)
      // The SDK has not tried again behind our back, and the next message is not touched by it.
      expect(ses.asked).toHaveLength(1)
      expect((await transport.send(letterTo('ada@example.com'))).outcome).toBe('accepted')
    })
})

test('a server that is away is tried again, in words without its address', async () => {
  const away = transportTo('http://127.0.0.1:1')
  expect(await away.send(letterTo('ada@example.com'))).toEqual({
    outcome: 'deferred',
    response: 'no answer from SES: ECONNREFUSED',
  })
})

test('a connection that breaks before the answer is tried again', async () => {
  const breaking = Bun.listen({
    hostname: '127.0.0.1',
    port: 0,
    socket: { data: socket => void socket.end() },
  })
  const cut = transportTo(`http://127.0.0.1:${breaking.port}`)
  const result = await cut.send(letterTo('ada@example.com'))
  expect(result).toMatchObject({ outcome: 'deferred' })
  expect(result.response).toStartWith('no answer from SES: ')
  breaking.stop(true)
})

test('a server that does not answer is given up in time, and tried again', async () => {
  const silent = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } })
  const patient = transportTo(`http://127.0.0.1:${silent.port}`, { timeLimitMs: 50 })
  const result = await patient.send(letterTo('ada@example.com'))
  expect(result).toMatchObject({ outcome: 'deferred' })
  expect(result.response).toStartWith('no answer from SES: ')
  silent.stop(true)
})

describe('the pace', () => {
  test('is what the account may send, asked for once', async () => {
    expect(await Promise.all([transport.currentRate!(), transport.currentRate!()])).toEqual([14, 14])
    ses.account['SendQuota'] = { MaxSendRate: 90 }
    expect(await transport.currentRate!()).toBe(14)
    expect(ses.asked).toEqual(['GET /v2/email/account'])
  })

  test('is a modest one for an account that does not tell', async () => {
    ses.script({ status: 403, type: 'AccessDeniedException', message: 'no' })
    expect(await transport.currentRate!()).toBe(14)
  })
})

describe('doctor', () => {
  test('hears quota, production access and configuration set, one line each', async () => {
    expect((await transport.verify()).split(/\n\s*/)).toEqual([
      'ses: eu-central-1',
      'quota: 14 messages a second, 120 of 50000 in 24 hours',
      'production access',
      'configuration set: reports',
    ])
  })

  test('hears of the sandbox and of a missing configuration set', async () => {
    ses.account = { ...ses.account, ProductionAccessEnabled: false, EnforcementStatus: 'PROBATION' }
    const bare = transportTo(ses.url)
    const said = await bare.verify()
    expect(said).toContain('SANDBOX')
    expect(said).toContain('PROBATION')
    expect(said).toContain('no configuration set')
  })

  const spoilings: [what: string, spoil: () => void, words: string][] = [
    [
      'sending is switched off',
      () => Object.assign(ses.account, { SendingEnabled: false }),
      'sending is switched off',
    ],
    ['the set is gone', () => ses.sets.clear(), 'configuration set reports: 404 NotFoundException'],
    [
      'the set may not send',
      () => ses.sets.set('reports', { SendingOptions: { SendingEnabled: false } }),
      'configuration set reports: sending is switched off',
    ],
    [
      'the credentials are wrong',
      () => ses.script({ status: 403, type: 'InvalidSignatureException', message: 'The canonical string' }),
      'the account: SES refused the credentials of this instance (InvalidSignatureException)',
    ],
  ]
  test.each(spoilings)('fails where %s', async (_, spoil, words) => {
    spoil()
    expect(transport.verify()).rejects.toThrow(words)
  })

  test('waits for a throttled answer about the account', async () => {
    const throttled = { status: 429, type: 'TooManyRequestsException', message: 'Rate exceeded' }
    ses.script(throttled, throttled)
    expect(await transport.verify()).toContain('production access')
  })
})
