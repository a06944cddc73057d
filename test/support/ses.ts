// A stand-in for Amazon SES on a port of this machine, for what the local server from npm cannot answer: throttling, refusals, quotas,
// broken connections, and the register of identities. The client under test is the real one.

import type { FinishedMessage } from '../../src/mail/message'
import { type SesTransportOptions, sesTransport } from '../../src/platform/transports/ses'
import type { Transport } from '../../src/platform/transports/transport'

export interface SentThere {
  from: string
  to: string[]
  raw: string
  set?: string
  tags: Record<string, string>
}

/** An error as SES writes it. */
export interface Scripted {
  status: number
  type: string
  message: string
}

interface Identity {
  tokens: string[]
  status: 'PENDING' | 'SUCCESS' | 'FAILED' | 'TEMPORARY_FAILURE'
  tags: { Key: string; Value: string }[]
  forwards: boolean
}

export interface SesServer {
  url: string
  sent: SentThere[]
  /** Method and path of every request. */
  asked: string[]
  account: Record<string, unknown>
  sets: Map<string, object>
  identities: Map<string, Identity>
  /** Answers of the next calls, one each, whatever they are for. */
  script(...answers: Scripted[]): void
  /** From now on no request about this identity is answered. */
  hang(domain: string): void
  /** From now on each answer takes so long. */
  delay(ms: number): void
  connections(): number
  stop(): void
}

const healthy = {
  ProductionAccessEnabled: true,
  SendingEnabled: true,
  EnforcementStatus: 'HEALTHY',
  SendQuota: { Max24HourSend: 50_000, MaxSendRate: 14, SentLast24Hours: 120 },
}

export function startSes(): SesServer {
  const scripted: Scripted[] = []
  const peers = new Set<string>()
  const hung = new Set<string>()
  let delayMs = 0
  let made = 0
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request, { requestIP }) {
      const path = decodeURIComponent(new URL(request.url).pathname)
      ses.asked.push(`${request.method} ${path}`)
      peers.add(String(requestIP.call(server, request)?.port))
      const answer = scripted.shift()
      if (answer) return fault(answer)
      const body = request.method === 'GET' || request.method === 'DELETE' ? {} : await request.json()
      if ([...hung].some(domain => path.includes(domain) || (body as Body).EmailIdentity === domain))
        return await new Promise<never>(() => {})
      if (delayMs > 0) await Bun.sleep(delayMs)
      return answerTo(ses, request.method, path, body as never, () => `0100-${++made}`)
    },
  })
  const ses: SesServer = {
    url: `http://127.0.0.1:${server.port}`,
    sent: [],
    asked: [],
    account: { ...healthy },
    sets: new Map([['reports', {}]]),
    identities: new Map(),
    script: (...answers) => void scripted.push(...answers),
    hang: domain => void hung.add(domain),
    delay(ms) {
      delayMs = ms
    },
    connections: () => peers.size,
    stop: () => void server.stop(true),
  }
  return ses
}

function fault({ status, type, message }: Scripted): Response {
  return Response.json({ message }, { status, headers: { 'x-amzn-errortype': type } })
}

const missing = (what: string): Response =>
  fault({ status: 404, type: 'NotFoundException', message: `${what} does not exist` })

interface Body {
  EmailIdentity: string
  EmailForwardingEnabled: boolean
  Tags: Identity['tags']
  FromEmailAddress: string
  Destination: { ToAddresses: string[] }
  Content: { Raw: { Data: string } }
  ConfigurationSetName?: string
  EmailTags?: { Name: string; Value: string }[]
}

function answerTo(ses: SesServer, method: string, path: string, body: Body, newId: () => string): Response {
  const [, , , kind, name = '', rest] = path.split('/')
  switch (`${method} ${kind}${rest ? ` ${rest}` : ''}`) {
    case 'GET account':
      return Response.json(ses.account)
    case 'GET configuration-sets':
      return ses.sets.has(name) ? Response.json(ses.sets.get(name)) : missing('Configuration set')
    case 'POST outbound-emails':
      ses.sent.push({
        from: body.FromEmailAddress,
        to: body.Destination.ToAddresses,
        raw: Buffer.from(body.Content.Raw.Data, 'base64').toString('latin1'),
        ...(body.ConfigurationSetName ? { set: body.ConfigurationSetName } : {}),
        tags: Object.fromEntries((body.EmailTags ?? []).map(tag => [tag.Name, tag.Value])),
      })
      return Response.json({ MessageId: newId() })
    case 'POST identities': {
      const domain = body.EmailIdentity
      if (ses.identities.has(domain))
        return fault({ status: 400, type: 'AlreadyExistsException', message: `${domain} already exists` })
      const tokens = ['a', 'b', 'c'].map(letter => `${letter}${newId().replace('-', '')}`)
      ses.identities.set(domain, { tokens, status: 'PENDING', tags: body.Tags ?? [], forwards: true })
      return Response.json({ IdentityType: 'DOMAIN', DkimAttributes: { Tokens: tokens } })
    }
    case 'GET identities': {
      const identity = ses.identities.get(name)
      if (!identity) return missing('Identity')
      const { tokens, status, tags, forwards } = identity
      const dkim = { Tokens: tokens, Status: status, SigningHostedZone: 'dkim.eu-central-1.amazonses.com' }
      return Response.json({
        IdentityType: 'DOMAIN',
        DkimAttributes: dkim,
        Tags: tags,
        FeedbackForwardingStatus: forwards,
      })
    }
    case 'PUT identities dkim': {
      ses.identities.get(name)!.status = 'PENDING'
      return Response.json({ DkimStatus: 'PENDING' })
    }
    case 'PUT identities feedback':
      ses.identities.get(name)!.forwards = body.EmailForwardingEnabled
      return Response.json({})
    case 'DELETE identities':
      return ses.identities.delete(name) ? Response.json({}) : missing('Identity')
    default:
      return missing(path)
  }
}

export const sesCredentials = { accessKeyId: 'AKIATEST', secretAccessKey: 'test' }

export function transportTo(url: string, options: Partial<SesTransportOptions> = {}): Transport {
  return sesTransport({
    region: 'eu-central-1',
    credentials: sesCredentials,
    endpoint: url,
    pausesMs: [1, 1, 1],
    turnMs: 100,
    ...options,
  })
}

export function letterTo(to: string, id = 'e-1'): FinishedMessage {
  const raw = `From: hello@acme-mail.com\r\nTo: ${to}\r\nSubject: Hello\r\n\r\nHello\r\n`
  return { id, envelope: { from: 'hello@acme-mail.com', to }, raw: Buffer.from(raw) }
}
