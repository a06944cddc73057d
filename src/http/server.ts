// The listening socket. The port is taken before the application exists, so that a port in use is told at once and the public
// address is known while the application is built; early requests wait for it.
import type { AnyElysia } from 'elysia'

export interface HttpServer {
  url: string
  port: number
  /** Hands over what has waited and everything that comes. */
  open(app: AnyElysia): void
  /** Refuses new connections and resolves when requests in flight are answered. */
  stop(): Promise<void>
}

/**
 * Beyond this the runtime itself answers a bare 413 without a request id. The platform checks the declared length before a byte
 * is read and counts what has none, so the runtime's own limit stays out of the way.
 */
const outerBodyLimit = Number.MAX_SAFE_INTEGER

/** Throws a plain sentence when the port can't be had. */
export function reserve(host: string, port: number): HttpServer {
  let hand: (app: AnyElysia) => void = () => {}
  const ready = new Promise<AnyElysia>(resolve => {
    hand = resolve
  })
  let app: AnyElysia | undefined
  const server = listen(host, port, request =>
    app ? app.fetch(request) : ready.then(opened => opened.fetch(request)),
  )
  let stopped: Promise<void> | undefined
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${server.port}`,
    port: server.port!,
    open(opened) {
      app = opened.compile()
      // Only through its server can a request tell the client's address.
      app.server = server
      hand(app)
    },
    stop: () => (stopped ??= server.stop(false)),
  }
}

type Handler = (request: Request) => Response | Promise<Response>

function listen(host: string, port: number, fetch: Handler): Bun.Server<unknown> {
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
    if ((error as { code?: string }).code === 'EADDRINUSE')
      throw new Error(`port ${port} is in use by another program`)
    throw error
  }
}
