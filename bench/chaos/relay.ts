// The mail server that everything is sent to: it counts what it takes, and misbehaves as relays do while it is told to.
import { type Envelope, reply } from '../../test/support/sink'

export type Mood = 'well' | 'storm' | 'deferring' | 'slow'

/** One message that was taken; its key says who got which one. */
export interface Arrival {
  messageId: string
  /** Milliseconds since 1970. */
  at: number
}

export interface Relay {
  port: number
  /** By key (see `keyOf`), in the order of arrival. */
  taken: Map<string, Arrival[]>
  set(mood: Mood): void
  stop(): void
}

interface Talk extends Envelope {
  rest: string
}

/** A message is known by its recipient and subject: the load gives each pair once. */
export function keyOf(to: string, subject: string): string {
  return `${to} ${subject}`
}

const storm = '421 4.3.2 too many connections\r\n'
const later = '451 4.7.1 try again later\r\n'
/** Of the messages, in a deferring mood. */
const deferredShare = 1 / 3
const slowMs = 400

export function startRelay(random: () => number): Relay {
  const taken = new Map<string, Arrival[]>()
  let mood: Mood = 'well'

  const take = (talk: Talk, message: string): string => {
    talk.inBody = false
    if (mood === 'deferring' && random() < deferredShare) return later
    const key = keyOf(talk.to, header(message, 'subject'))
    const arrival = { messageId: header(message, 'message-id'), at: Date.now() }
    taken.set(key, [...(taken.get(key) ?? []), arrival])
    return '250 2.0.0 taken\r\n'
  }
  /** Answers all that has come in whole. */
  const converse = (talk: Talk): string => {
    let answer = ''
    for (;;) {
      const mark = talk.inBody ? '\r\n.\r\n' : '\r\n'
      const end = talk.rest.indexOf(mark)
      if (end < 0) return answer
      const part = talk.rest.slice(0, end)
      talk.rest = talk.rest.slice(end + mark.length)
      answer += talk.inBody ? take(talk, part) : reply(talk, part)
    }
  }
  const server = Bun.listen<Talk>({
    hostname: '127.0.0.1',
    port: 0,
    socket: {
      open(socket) {
        socket.data = { rest: '', to: '', inBody: false }
        if (mood === 'storm') socket.end(storm)
        else socket.write('220 relay ESMTP\r\n')
      },
      data(socket, chunk) {
        if (mood === 'storm') return void socket.end(storm)
        socket.data.rest += chunk.toString('latin1')
        const answer = converse(socket.data)
        if (!answer) return
        if (mood === 'slow') setTimeout(() => socket.write(answer), slowMs)
        else socket.write(answer)
      },
    },
  })
  return {
    port: server.port,
    taken,
    set: next => {
      mood = next
    },
    stop: () => server.stop(true),
  }
}

function header(message: string, name: string): string {
  return new RegExp(`^${name}: *(.*)$`, 'im').exec(message)?.[1]?.trim() ?? ''
}
