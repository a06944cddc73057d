// An SMTP sink as a process of its own that remembers who got which message when, and refuses everything with 421 while it is told to. It
// obeys lines on stdin (`refuse`, `accept`, `count`, `dump FILE`) and answers each with a line.
import { writeFileSync } from 'node:fs'
import { type Envelope, reply } from '../../test/support/sink'

/** One message as it arrived. */
export interface Recorded {
  /** The return path. */
  from: string
  to: string
  messageId: string
  /** Milliseconds since 1970. */
  at: number
  signed: boolean
}

interface Talk extends Envelope {
  parts: Buffer[]
  length: number
}

const recorded: Recorded[] = []
/** The first messages as they were, for checking their signatures. */
const samples: string[] = []
const maxSamples = 25
let refusing = false

const closing = '421 4.3.2 sink is closing\r\n'
const server = Bun.listen<Talk>({
  hostname: '127.0.0.1',
  port: 0,
  socket: {
    open(socket) {
      socket.data = { inBody: false, to: '', parts: [], length: 0 }
      if (refusing) socket.end(closing)
      else socket.write('220 sink ESMTP\r\n')
    },
    data(socket, chunk) {
      const talk = socket.data
      talk.parts.push(Buffer.from(chunk))
      talk.length += chunk.length
      if (talk.inBody && !mayEnd(chunk)) return
      if (refusing) return void socket.end(closing)
      const answer = converse(talk)
      if (answer) socket.write(answer)
    },
  },
})

/**
 * Whether a message may end in this piece, itself or with the commands of the next one behind it: joining the pieces at each of them would
 * cost more than the rest.
 */
function mayEnd(chunk: Uint8Array): boolean {
  return chunk.length < 5 || chunk.at(-1) === 10
}

/** Answers everything that has arrived completely. */
function converse(talk: Talk): string {
  let text = Buffer.concat(talk.parts).toString('latin1')
  let answer = ''
  for (;;) {
    const mark = talk.inBody ? '\r\n.\r\n' : '\r\n'
    const end = text.indexOf(mark)
    if (end < 0) break
    const part = text.slice(0, end)
    text = text.slice(end + mark.length)
    answer += talk.inBody ? take(talk, part) : reply(talk, part)
  }
  talk.parts = text === '' ? [] : [Buffer.from(text, 'latin1')]
  talk.length = text.length
  return answer
}

function take(talk: Talk, message: string): string {
  talk.inBody = false
  const head = message.slice(0, message.indexOf('\r\n\r\n'))
  recorded.push({
    from: talk.from ?? '',
    to: talk.to,
    messageId: /^message-id: *(\S+)/im.exec(head)?.[1] ?? '',
    at: Date.now(),
    signed: /^dkim-signature:/im.test(head),
  })
  if (samples.length < maxSamples) samples.push(`${message.replaceAll('\r\n..', '\r\n.')}\r\n`)
  return '250 2.0.0 taken\r\n'
}

if (import.meta.main) {
  console.log(server.port)
  for await (const line of console) {
    const [word, file] = line.trim().split(' ')
    if (word === 'refuse') refusing = true
    if (word === 'accept') refusing = false
    if (word === 'dump') writeFileSync(file!, JSON.stringify({ recorded, samples }))
    console.log(recorded.length)
  }
}
