// A connection to the database that breaks at the worst moment, when the server has committed a statement and before anybody hears of it;
// or that stays open and falls silent.
import { join } from 'node:path'
import type { Socket } from 'bun'

export interface LossyProxy {
  /** The database behind it, by way of the proxy. */
  url: string
  /** From now on, an answer that holds this command tag (`UPDATE 3`) is lost together with its connection. */
  loseAnswer(tag: RegExp): void
  /** Answers that were lost. */
  lost(): number
  /** Nothing comes through any more on the connections that are open; new ones work. */
  fallSilent(): void
  stop(): void
}

/** `url` names a server on this machine, by a folder of its socket or by host and port. */
export function startLossyProxy(url: string): LossyProxy {
  const { hostname, port, searchParams } = new URL(url)
  const folder = searchParams.get('host')
  const connect = (socket: Bun.SocketHandler<undefined>): Promise<Socket> =>
    folder
      ? Bun.connect({ unix: join(folder, `.s.PGSQL.${port || 5432}`), socket })
      : Bun.connect({ hostname, port: Number(port), socket })
  let losing: RegExp | undefined
  let lost = 0
  let generation = 0
  const silenced = new Set<Socket>()

  const listener = Bun.listen<{ early: Buffer[]; born: number; far?: Socket }>({
    hostname: '127.0.0.1',
    port: 0,
    socket: {
      async open(near) {
        near.data = { early: [], born: generation }
        const far = await connect({
          data(_, answer) {
            if (near.data.born < generation) return
            if (!losing?.test(answer.toString('latin1'))) return void near.write(answer)
            losing = undefined
            lost++
            near.terminate()
          },
          close: () => void (near.data.born < generation || near.end()),
        })
        near.data.far = far
        for (const part of near.data.early.splice(0)) far.write(part)
      },
      data({ data }, question) {
        if (data.born < generation) return
        if (data.far) data.far.write(question)
        else data.early.push(Buffer.from(question))
      },
      // Neither side learns that the other is gone.
      close({ data }) {
        if (data.born === generation) data.far?.end()
        else if (data.far) silenced.add(data.far)
      },
    },
  })

  const target = new URL(url)
  target.hostname = '127.0.0.1'
  target.port = String(listener.port)
  target.searchParams.delete('host')
  return {
    url: target.toString(),
    loseAnswer(tag) {
      losing = tag
    },
    lost: () => lost,
    fallSilent() {
      generation++
    },
    stop() {
      listener.stop(true)
      for (const far of silenced) far.end()
    },
  }
}
