// A lean HTTP load: keep-alive connections over raw sockets, one request at a time on each, so that measuring takes little of the two
// cores that it shares with what is measured.

export interface Load {
  host: string
  port: number
  connections: number
  seconds: number
  /** The whole request as text, made anew for each one. */
  request(count: number): string
}

export interface LoadResult {
  requests: number
  failures: number
  perSecond: number
  /** Milliseconds. */
  p50: number
  p99: number
}

interface Line {
  sentAt: number
  buffer: string
}

/** Runs for the given time and counts the answers; anything but a 2xx or 3xx is a failure. */
export async function runLoad(load: Load): Promise<LoadResult> {
  const times: number[] = []
  let failures = 0
  let sent = 0
  const startedAt = performance.now()
  const endAt = startedAt + load.seconds * 1000
  await Promise.all(
    Array.from({ length: load.connections }, () =>
      connection(
        load,
        endAt,
        () => sent++,
        (status, ms) => {
          if (status >= 200 && status < 400) times.push(ms)
          else failures++
        },
      ),
    ),
  )
  const seconds = (performance.now() - startedAt) / 1000
  times.sort((a, b) => a - b)
  const at = (share: number): number =>
    times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0
  return { requests: times.length, failures, perSecond: times.length / seconds, p50: at(0.5), p99: at(0.99) }
}

function connection(
  load: Load,
  endAt: number,
  next: () => number,
  done: (status: number, ms: number) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const send = (socket: Bun.Socket<Line>): void => {
      socket.data.sentAt = performance.now()
      socket.write(load.request(next()))
    }
    Bun.connect<Line>({
      hostname: load.host,
      port: load.port,
      data: { sentAt: 0, buffer: '' },
      socket: {
        open: send,
        data(socket, chunk) {
          const line = socket.data
          line.buffer += chunk.toString('latin1')
          if (!isComplete(line.buffer)) return
          done(Number(line.buffer.slice(9, 12)), performance.now() - line.sentAt)
          line.buffer = ''
          if (performance.now() < endAt) send(socket)
          else socket.end()
        },
        close: () => resolve(),
        error: (_, error) => reject(error),
      },
    }).catch(reject)
  })
}

function isComplete(text: string): boolean {
  const end = text.indexOf('\r\n\r\n')
  if (end < 0) return false
  const length = /content-length: (\d+)/i.exec(text.slice(0, end))
  return length !== null && text.length >= end + 4 + Number(length[1])
}

/** A JSON POST as request text; `headers` are further lines, each with its end. */
export function jsonPost(path: string, host: string, key: string, body: unknown, headers = ''): string {
  const text = JSON.stringify(body)
  return `POST ${path} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\n${headers}\r\n${text}`
}
