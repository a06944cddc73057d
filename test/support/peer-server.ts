// A server that answers as another program does: by path, with what a test tells it, faults included.
import type { Server } from 'bun'

export interface PeerServer {
  address: string
  /** What was asked, in order, without what the answers were. */
  asked: URL[]
  keys: Array<string | null>
  /** Answers for the next requests, before those of the program. */
  faults: Array<() => Response>
  close(): Promise<void>
}

type Answers = Readonly<Record<string, (query: URLSearchParams, path: string) => unknown>>

/** `answers` by path; a path that ends in `*` stands for all that begin with it. Undefined is a 404. */
export function servePeer(answers: Answers, keyHeader = 'authorization'): PeerServer {
  const asked: URL[] = []
  const keys: Array<string | null> = []
  const faults: Array<() => Response> = []
  const server: Server<undefined> = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch(request) {
      const url = new URL(request.url)
      asked.push(url)
      keys.push(request.headers.get(keyHeader))
      const fault = faults.shift()
      if (fault) return fault()
      const path = Object.keys(answers).find(
        each => each === url.pathname || (each.endsWith('*') && url.pathname.startsWith(each.slice(0, -1))),
      )
      const answer = path && answers[path]!(url.searchParams, url.pathname)
      return answer === undefined ? new Response('no such path', { status: 404 }) : Response.json(answer)
    },
  })
  return {
    ...{ address: `http://127.0.0.1:${server.port}`, asked, keys, faults },
    close: () => server.stop(true),
  }
}
