// Calls over real sockets of this machine: where they go, where they refuse to go, and when they give up.
import { afterAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import http from 'node:http'
import https from 'node:https'
import net, { type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { memoryResolver } from '../../../src/mail/dns/memory'
import type { WebhookRequest } from '../../../src/platform/webhook/caller'
import { networkWebhooks } from '../../../src/platform/webhook/network'
import { signatureHeaders } from '../../../src/platform/webhook/signature'
import { until } from '../../support/until'

interface Seen {
  method: string
  url: string
  headers: http.IncomingHttpHeaders
  body: string
}

const servers: http.Server[] = []
afterAll(() => {
  for (const server of servers) {
    server.closeAllConnections()
    server.close()
  }
})

type Act = (request: http.IncomingMessage, response: http.ServerResponse) => void

async function serve(act: Act = (_, response) => void response.end('fine'), tls?: https.ServerOptions) {
  const seen: Seen[] = []
  const listener = async (request: http.IncomingMessage, response: http.ServerResponse): Promise<void> => {
    let body = ''
    for await (const chunk of request) body += chunk
    seen.push({ method: request.method!, url: request.url!, headers: request.headers, body })
    act(request, response)
  }
  const server = tls ? https.createServer(tls, listener) : http.createServer(listener)
  servers.push(server)
  await new Promise<void>(resolve => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { seen, port, base: `${tls ? 'https' : 'http'}://127.0.0.1:${port}` }
}

const dns = memoryResolver()
/** Where an answer is expected it may take as long as the machine is busy; what gives up has a limit of its own. */
const timeoutMs = 60_000
const open = networkWebhooks({ dns, allowPrivate: true, timeoutMs })
const guarded = networkWebhooks({ dns, allowPrivate: false, timeoutMs })

const post = (url: string, changes: Partial<WebhookRequest> = {}): WebhookRequest => ({
  url,
  method: 'POST',
  headers: { Authorization: 'Bearer secret' },
  ownHeaders: { 'Content-Type': 'application/json', 'webhook-id': 'msg_1' },
  body: '{"a":"ä"}',
  ...changes,
})

test('method, path, headers and body arrive as they are', async () => {
  const server = await serve()
  const answer = await open.call(post(`${server.base}/hook?x=1`, { method: 'PUT' }))
  expect(answer).toEqual({
    outcome: 'answered',
    statusCode: 200,
    response: 'fine',
    url: `${server.base}/hook?x=1`,
  })
  expect(server.seen).toHaveLength(1)
  expect(server.seen[0]).toMatchObject({ method: 'PUT', url: '/hook?x=1', body: '{"a":"ä"}' })
  expect(server.seen[0]!.headers).toMatchObject({
    authorization: 'Bearer secret',
    'content-type': 'application/json',
    'content-length': '10',
    'webhook-id': 'msg_1',
  })
})

test('a GET carries no body', async () => {
  const server = await serve()
  await open.call(post(server.base, { method: 'GET', body: null }))
  expect(server.seen[0]).toMatchObject({ method: 'GET', body: '' })
  expect(server.seen[0]!.headers['content-length']).toBeUndefined()
})

test('the connection is made to the address that was checked, and the name is looked up once', async () => {
  const server = await serve()
  dns.set('hooks.example', 'a', '127.0.0.1')
  const before = dns.asked.length
  const answer = await open.call(post(`http://hooks.example:${server.port}/`))
  expect(answer).toMatchObject({ outcome: 'answered', statusCode: 200 })
  expect(server.seen[0]!.headers.host).toBe(`hooks.example:${server.port}`)
  expect(dns.asked.slice(before).sort()).toEqual(['A hooks.example', 'AAAA hooks.example'])
})

describe('TLS', () => {
  const folder = mkdtempSync(join(tmpdir(), 'waxwing-tls-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const [keyFile, certFile] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  Bun.spawnSync([
    ...'openssl req -x509 -newkey rsa:2048 -nodes -days 30 -subj /CN=hooks.example'.split(' '),
    ...['-addext', 'subjectAltName=DNS:hooks.example', '-keyout', keyFile, '-out', certFile],
  ])
  const [key, cert] = [readFileSync(keyFile, 'utf8'), readFileSync(certFile, 'utf8')]
  const trusting = networkWebhooks({ dns, allowPrivate: true, timeoutMs, ca: cert })
  dns.set('hooks.example', 'a', '127.0.0.1')
  dns.set('other.example', 'a', '127.0.0.1')

  test('goes by the name, although the connection goes to an address', async () => {
    let name: string | boolean | undefined
    const server = await serve(
      (request, response) => {
        name = (request.socket as { servername?: string }).servername
        response.end('fine')
      },
      { key, cert },
    )
    expect(await trusting.call(post(`https://hooks.example:${server.port}/`))).toMatchObject({
      statusCode: 200,
    })
    expect(name).toBe('hooks.example')
  })

  test('a certificate of another name or of nobody is unreachable, and nothing is sent', async () => {
    const server = await serve(undefined, { key, cert })
    for (const [caller, host] of [
      [trusting, 'other.example'],
      [open, 'hooks.example'],
    ] as const)
      expect(await caller.call(post(`https://${host}:${server.port}/`))).toMatchObject({
        outcome: 'unreachable',
      })
    expect(server.seen).toEqual([])
  })

  test('is not left for plain http', async () => {
    const plain = await serve()
    const server = await serve(
      (_, response) => void response.writeHead(307, { location: plain.base }).end(),
      { key, cert },
    )
    const answer = await trusting.call(post(`https://hooks.example:${server.port}/`))
    expect(answer).toMatchObject({ outcome: 'refused', error: 'redirected from https to http' })
    expect(plain.seen).toEqual([])
  })
})

describe('refused before anything is sent', () => {
  test('private addresses, as literals, behind names, and among public ones', async () => {
    const server = await serve()
    dns.set('inside.example', 'a', '10.1.2.3')
    dns.set('mixed.example', 'a', '93.184.216.34', '127.0.0.1')
    dns.set('six.example', 'aaaa', '::1')
    for (const host of [
      '127.0.0.1',
      '[::1]',
      '[::ffff:127.0.0.1]',
      '2130706433',
      '0x7f.1',
      '0177.0.0.1',
      '017700000001',
      '127.1',
      '127.0.0.1.',
      '１２７.０.０.１',
      '127。0。0。1',
      '[::ffff:7f00:1]',
      '[0:0:0:0:0:ffff:7f00:1]',
      '[64:ff9b::7f00:1]',
      '[2002:7f00:1::]',
      '[fe80::1%25eth0]',
      '169.254.169.254',
      '0.0.0.0',
      '0',
      'localhost',
      'localhost.',
      'LOCALHOST',
      'a.localhost',
    ])
      expect(await guarded.call(post(`http://${host}:${server.port}/`))).toMatchObject({ outcome: 'refused' })
    for (const host of ['inside.example', 'mixed.example', 'six.example']) {
      const answer = await guarded.call(post(`http://${host}:${server.port}/`))
      expect(answer).toMatchObject({
        outcome: 'refused',
        error: expect.stringContaining('not a public address'),
      })
    }
    expect(server.seen).toEqual([])
  })

  test('other schemes and what is no URL', async () => {
    for (const url of ['ftp://example.com/', 'file:///etc/passwd', 'javascript:1', 'gopher://x/', 'nonsense'])
      expect(await open.call(post(url))).toMatchObject({ outcome: 'refused' })
  })
})

describe('redirects', () => {
  test('within one host keep method, body and headers', async () => {
    const server = await serve((request, response) => {
      if (request.url === '/') response.writeHead(302, { location: '/next' }).end()
      else response.end('there')
    })
    expect(await open.call(post(`${server.base}/`))).toMatchObject({
      statusCode: 200,
      url: `${server.base}/next`,
    })
    expect(server.seen[1]).toMatchObject({ method: 'POST', url: '/next', body: '{"a":"ä"}' })
    expect(server.seen[1]!.headers.authorization).toBe('Bearer secret')
  })

  test("to another host leave the author's headers behind", async () => {
    const other = await serve()
    const server = await serve(
      (_, response) => void response.writeHead(307, { location: `${other.base}/x` }).end(),
    )
    expect(await open.call(post(server.base))).toMatchObject({ statusCode: 200 })
    expect(other.seen[0]!.headers.authorization).toBeUndefined()
    expect(other.seen[0]!.headers['webhook-id']).toBe('msg_1')
  })

  test('are guarded like the first address', async () => {
    const inner = await serve()
    // The guard sees the first address as public; only the redirect leads inside.
    dns.set('public.example', 'a', '127.0.0.1')
    const server = await serve(
      (_, response) =>
        void response.writeHead(302, { location: `http://private.example:${inner.port}/` }).end(),
    )
    dns.set('private.example', 'a', '169.254.169.254')
    const answer = await networkWebhooks({
      dns,
      get allowPrivate() {
        return server.seen.length === 0
      },
    }).call(post(`http://public.example:${server.port}/`))
    expect(answer).toMatchObject({ outcome: 'refused', error: expect.stringContaining('169.254.169.254') })
    expect(inner.seen).toEqual([])
  })

  test('are followed five times and not a sixth', async () => {
    const server = await serve((request, response) => {
      const step = Number(request.url!.slice(1))
      if (step === 0) response.end('end')
      else response.writeHead(308, { location: `/${step - 1}` }).end()
    })
    expect(await open.call(post(`${server.base}/5`))).toMatchObject({ outcome: 'answered', response: 'end' })
    expect(await open.call(post(`${server.base}/6`))).toMatchObject({
      outcome: 'refused',
      error: 'redirected more than 5 times',
    })
  })
})

describe('what takes too long or is too much', () => {
  const hasty = networkWebhooks({ dns, allowPrivate: true, timeoutMs: 300 })

  test('an endpoint that does not answer is given up, also in the middle of its answer', async () => {
    const silent = await serve(() => {})
    const slow = await serve((_, response) => void response.write('begin'))
    for (const { base } of [silent, slow])
      expect(await hasty.call(post(base))).toMatchObject({
        outcome: 'unreachable',
        error: 'no answer within 0.3 s',
      })
  })

  test('an endpoint that switches to another protocol has answered, and is hung up on', async () => {
    let isClosed = false
    const server = net.createServer(socket => {
      socket.on('data', () =>
        socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n'),
      )
      socket.on('error', () => {})
      socket.on('close', () => {
        isClosed = true
      })
    })
    await new Promise<void>(resolve => void server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const answer = await open.call(post(`http://127.0.0.1:${port}/`))
    expect(answer).toMatchObject({ outcome: 'answered', statusCode: 101, response: '' })
    await until('the connection is closed', () => isClosed)
    server.close()
  })

  test('a name that nobody knows, a server that fails and a closed port are unreachable', async () => {
    dns.fail('down.example', 'SERVFAIL')
    for (const host of ['unknown.example', 'down.example', '127.0.0.1:1'])
      expect(await open.call(post(`http://${host}/`))).toMatchObject({ outcome: 'unreachable' })
  })

  test('of a long answer the beginning is kept, and the rest not waited for', async () => {
    const server = await serve((_, response) => {
      const more = (): void => {
        response.write('x'.repeat(10_000))
        if (!response.destroyed) setTimeout(more, 5)
      }
      more()
    })
    const answer = await open.call(post(server.base))
    expect(answer).toMatchObject({ outcome: 'answered', statusCode: 200 })
    expect((answer as { response: string }).response).toHaveLength(16_384)
  })

  test('an aborted call ends', async () => {
    const silent = await serve(() => {})
    const abort = new AbortController()
    setTimeout(() => abort.abort(new Error('stop')), 20)
    expect(await open.call(post(silent.base), abort.signal)).toMatchObject({ outcome: 'unreachable' })
  })
})

test('the signature is that of Standard Webhooks', () => {
  // The example of its specification.
  const headers = signatureHeaders('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', {
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    sentAt: new Date(1614265330_000),
    body: '{"test": 2432232314}',
  })
  expect(headers['webhook-signature']).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=')
  expect(headers['webhook-timestamp']).toBe('1614265330')
})
