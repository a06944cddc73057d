// A mail server that accepts everything and remembers who got which Message-ID. Plain sockets, because a real server library would
// be slower than the program under test.

export interface Received {
  to: string
  messageId: string
}

export interface Sink {
  url: string
  /** In the order of arrival. */
  received: Received[]
  /** From now on messages are taken, but the word that they are is kept back until `resume`. */
  hold(): void
  resume(): void
  /** Messages whose sender still waits. */
  held(): number
  stop(): void
}

const taken = '250 2.0.0 taken\r\n'

/** Where a conversation stands. */
export interface Envelope {
  from?: string
  to: string
  inBody: boolean
}

interface Talk extends Envelope {
  rest: string
}

export function startSink(): Sink {
  const received: Received[] = []
  const waiting = new Map<Bun.Socket<Talk>, string>()
  let holding = false
  const server = Bun.listen<Talk>({
    hostname: '127.0.0.1',
    port: 0,
    socket: {
      open(socket) {
        socket.data = { rest: '', to: '', inBody: false }
        socket.write('220 sink ESMTP\r\n')
      },
      data(socket, chunk) {
        socket.data.rest += chunk.toString('latin1')
        const answer = converse(socket.data, received)
        if (holding && answer.includes(taken)) waiting.set(socket, (waiting.get(socket) ?? '') + answer)
        else if (answer) socket.write(answer)
      },
      close: socket => void waiting.delete(socket),
    },
  })
  return {
    url: `smtp://127.0.0.1:${server.port}?pool=5`,
    received,
    hold: () => {
      holding = true
    },
    resume() {
      holding = false
      for (const [socket, answer] of waiting) socket.write(answer)
      waiting.clear()
    },
    held: () => waiting.size,
    stop: () => server.stop(true),
  }
}

/** Answers all that has come in whole. */
function converse(talk: Talk, received: Received[]): string {
  let answer = ''
  for (;;) {
    const mark = talk.inBody ? '\r\n.\r\n' : '\r\n'
    const end = talk.rest.indexOf(mark)
    if (end < 0) return answer
    const part = talk.rest.slice(0, end)
    talk.rest = talk.rest.slice(end + mark.length)
    answer += talk.inBody ? take(talk, part, received) : reply(talk, part)
  }
}

function take(talk: Talk, message: string, received: Received[]): string {
  talk.inBody = false
  received.push({ to: talk.to, messageId: /^message-id: *(\S+)/im.exec(message)?.[1] ?? '' })
  return taken
}

/** The answer to a command, and what it changes. */
export function reply(talk: Envelope, line: string): string {
  const verb = line.slice(0, 4).toUpperCase()
  if (verb === 'EHLO') return '250-sink\r\n250-PIPELINING\r\n250-8BITMIME\r\n250 ENHANCEDSTATUSCODES\r\n'
  if (verb === 'QUIT') return '221 2.0.0 bye\r\n'
  if (verb === 'MAIL') talk.from = /<([^>]*)>/.exec(line)?.[1] ?? ''
  if (verb === 'RCPT') talk.to = /<([^>]*)>/.exec(line)?.[1] ?? ''
  if (verb !== 'DATA') return '250 2.0.0 ok\r\n'
  talk.inBody = true
  return '354 go ahead\r\n'
}
