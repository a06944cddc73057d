// The listening socket. The port is taken before the application exists, so that a port in use is reported at once and the public
// address is known while the application is built; early requests wait for it.
import type { AnyElysia } from 'elysia'
import { second } from '../lib/time'

export interface HttpServer {
  url: string
  port: number
  /** Hands over what has waited and everything that comes. */
  open(app: AnyElysia): void
  /** Refuses new connections and resolves when requests in flight are answered, or cut off after `graceMs`. */
  stop(): Promise<void>
}

/** A client that stalls in the middle of its request must not keep the program from ending. */
const graceMs = 15 * second

/**
 * Beyond this the runtime itself answers a bare 413 without a request id. The platform checks the declared length before a byte
 * is read and counts what has none, so the runtime's own limit stays out of the way.
 */
const outerBodyLimit = Number.MAX_SAFE_INTEGER

/** Where the port comes from, for whoever has to choose another one. */
type PortSetting = 'PORT' | 'METRICS_PORT'

/** Throws a plain sentence when the port can't be had. */
export function reserve(host: string, port: number, setting: PortSetting = 'PORT'): HttpServer {
  let attach: (app: AnyElysia) => void = () => {}
  const ready = new Promise<AnyElysia>(resolve => {
    attach = resolve
  })
  let app: AnyElysia | undefined
  const server = listen({ host, port, setting }, request =>
    app ? app.fetch(request) : ready.then(opened => opened.fetch(request)),
  )
  let stopped: Promise<void> | undefined
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${server.port}`,
    port: server.port!,
    open(opened) {
      app = opened.compile()
      // Only through its server does a request know the client's address.
      app.server = server
      attach(app)
    },
    // Requests that wait for an application that never came will not be answered.
    stop: () => (stopped ??= end(server, app ? graceMs : 0)),
  }
}

async function end(server: Bun.Server<unknown>, graceMs: number): Promise<void> {
  const { promise: graceIsOver, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, graceMs)
  const answered = server.stop(false).then(() => true)
  const inTime = await Promise.race([answered, graceIsOver.then(() => false)])
  clearTimeout(timer)
  if (!inTime) await server.stop(true)
}

type Handler = (request: Request) => Response | Promise<Response>

interface ListenAddress {
  host: string
  port: number
  setting: PortSetting
}

function listen({ host, port, setting }: ListenAddress, fetch: Handler): Bun.Server<unknown> {
  try {
    return Bun.serve({
      hostname: host,
      port,
      fetch,
      // Otherwise a second instance on the same port would start without a word and take half of the requests.
      reusePort: false,
      idleTimeout: 60,
      maxRequestBodySize: outerBodyLimit,
      development: false,
    })
  } catch (error) {
    throw new Error(whyNot({ host, port, setting }, (error as { code?: string }).code), { cause: error })
  }
}

function whyNot({ host, port, setting }: ListenAddress, code = 'unknown fault'): string {
  switch (code) {
    case 'EADDRINUSE':
      return `port ${port} is in use by another program: end that one, or choose another ${setting}`
    case 'EACCES':
    case 'EPERM':
      return `this user may not listen on port ${port}: choose a ${setting} from 1024 on`
    case 'EADDRNOTAVAIL':
      return `HOST ${host} is not an address of this machine`
    default:
      return `cannot listen on port ${port} of ${host} (${code}): HOST must be an address of this machine`
  }
}
