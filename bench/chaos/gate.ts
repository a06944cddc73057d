// A door between two programs that speak over TCP, which can fail in the ways that networks do.
import { connect, createServer, type Socket } from 'node:net'

export interface Gate {
  port: number
  /** Ends every connection at once; new ones pass. */
  drop(): void
  /**
   * Connections that are open fall silent for good, though they stay open on both sides: what is left when a firewall forgets them or a
   * machine vanishes. New ones pass.
   */
  silence(): void
  /** The next answer that holds this text is lost together with its connection; resolves whether one was, within a second. */
  loseAnswer(text: RegExp): Promise<boolean>
  stop(): void
}

interface Pair {
  near: Socket
  far: Socket
  isSilent: boolean
}

/** Forwards to the port on this machine that is asked for at each connection. */
export function openGate(target: () => number): Promise<Gate> {
  const pairs = new Set<Pair>()
  let losing: { text: RegExp; lost: () => void } | undefined

  const server = createServer(near => {
    const pair: Pair = { near, far: connect(target(), '127.0.0.1'), isSilent: false }
    pairs.add(pair)
    forward(pair, near, pair.far, () => false)
    forward(pair, pair.far, near, answer => {
      if (!losing?.text.test(answer.toString('latin1'))) return false
      losing.lost()
      near.resetAndDestroy()
      pair.far.destroy()
      return true
    })
    near.on('close', () => pairs.delete(pair))
  })
  const gate: Omit<Gate, 'port'> = {
    drop() {
      for (const { near, far } of pairs) {
        near.resetAndDestroy()
        far.destroy()
      }
    },
    silence() {
      for (const pair of pairs) pair.isSilent = true
    },
    async loseAnswer(text) {
      const { promise, resolve } = Promise.withResolvers<boolean>()
      losing = { text, lost: () => resolve(true) }
      const wasLost = await Promise.race([promise, Bun.sleep(1_000).then(() => false)])
      losing = undefined
      return wasLost
    },
    stop() {
      gate.drop()
      server.close()
    },
  }
  return new Promise(resolve => {
    server.listen(0, '127.0.0.1', () => {
      resolve({ ...gate, port: (server.address() as { port: number }).port })
    })
  })
}

/** Passes on what comes, no faster than it is taken; `isLost` may keep a piece. */
function forward(pair: Pair, from: Socket, to: Socket, isLost: (piece: Buffer) => boolean): void {
  from.on('data', piece => {
    if (pair.isSilent || isLost(piece)) return
    if (!to.write(piece)) from.pause()
  })
  to.on('drain', () => from.resume())
  from.on('error', () => {})
  // One side may not learn that the other is gone.
  from.on('close', () => {
    if (!pair.isSilent) to.destroy()
  })
}
