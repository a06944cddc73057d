// Carries one query to one server and returns the bytes that the caller accepts: over UDP, or TCP for long answers. Each exchange has its
// own socket, so that its source port is as hard to guess as its id.
import { createSocket } from 'node:dgram'
import { connect, isIPv6 } from 'node:net'
import type { NameServer } from './servers'

/** Reads bytes; undefined means they are no answer to this query and waiting goes on. */
export type Accept<T> = (bytes: Buffer) => T | undefined

/** Why an exchange brought no answer: `timeout`, or the code of the system's error. */
export class ExchangeFailure extends Error {
  override readonly name = 'ExchangeFailure'
}

interface Attempt<T> {
  resolve(value: T): void
  reject(reason: string): void
}

/** Runs `start` under a time limit; what it returns is closed exactly once, however it ends. */
function limited<T>(timeoutMs: number, start: (attempt: Attempt<T>) => { close(): void }): Promise<T> {
  let opened: { close(): void } | undefined
  let timer: Timer | undefined
  const attempt = new Promise<T>((resolve, reject) => {
    const fail = (reason: string): void => reject(new ExchangeFailure(reason))
    timer = setTimeout(() => fail('timeout'), timeoutMs)
    try {
      opened = start({ resolve, reject: fail })
    } catch (error) {
      // A machine without this address family says so at once.
      fail(codeOf(error))
    }
  })
  return attempt.finally(() => {
    clearTimeout(timer)
    opened?.close()
  })
}

const codeOf = (error: unknown): string => (error as { code?: string }).code ?? 'network error'

export function exchangeOverUdp<T>(
  server: NameServer,
  query: Buffer,
  timeoutMs: number,
  accept: Accept<T>,
): Promise<T> {
  return limited(timeoutMs, attempt => {
    const socket = createSocket(isIPv6(server.host) ? 'udp6' : 'udp4')
    socket.on('error', error => attempt.reject(codeOf(error)))
    socket.on('message', (bytes, from) => {
      if (from.port !== server.port) return
      const accepted = accept(bytes)
      if (accepted !== undefined) attempt.resolve(accepted)
    })
    // A connected socket takes datagrams of this server only, and learns at once that nobody listens there.
    socket.connect(server.port, server.host, () => {
      socket.send(query, error => {
        if (error) attempt.reject(codeOf(error))
      })
    })
    return { close: () => socket.close() }
  })
}

export function exchangeOverTcp<T>(
  server: NameServer,
  query: Buffer,
  timeoutMs: number,
  accept: Accept<T>,
): Promise<T> {
  return limited(timeoutMs, attempt => {
    const socket = connect(server.port, server.host)
    let received = Buffer.alloc(0)
    socket.on('error', error => attempt.reject(codeOf(error)))
    socket.on('close', () => attempt.reject('connection closed'))
    socket.on('connect', () => {
      const length = Buffer.alloc(2)
      length.writeUInt16BE(query.length)
      socket.write(Buffer.concat([length, query]))
    })
    socket.on('data', chunk => {
      received = Buffer.concat([received, chunk])
      if (received.length < 2 || received.length < 2 + received.readUInt16BE(0)) return
      const accepted = accept(received.subarray(2, 2 + received.readUInt16BE(0)))
      if (accepted === undefined) attempt.reject('answer to another question')
      else attempt.resolve(accepted)
    })
    return { close: () => socket.destroy() }
  })
}
