// An SMTP sink as a process of its own: accepts everything, keeps nothing, and counts. `bun bench/support/sink.ts [pause]` prints its port and
// then, for each line on stdin, the number of messages, of their bytes, and of recipients at slow.example. It shares the machine with what is measured, so it looks only
// at the ends of what comes in. With a pause it answers each message after so many milliseconds.

interface Talk {
  inBody: boolean
  /** Of a message: its last bytes, as many as may begin its end. Otherwise a command that is not complete yet. */
  rest: Buffer
}

const nothing = Buffer.alloc(0)
const slowDomain = Buffer.from('@slow.example')
const endOfMessage = Buffer.from('\r\n.\r\n')

const [pauseMs = 0] = process.argv.slice(2).map(Number)

let messages = 0
let bytes = 0
let slow = 0

const server = Bun.listen<Talk>({
  hostname: '127.0.0.1',
  port: 0,
  socket: {
    open(socket) {
      socket.data = { inBody: false, rest: nothing }
      socket.write('220 sink ESMTP\r\n')
    },
    data(socket, chunk) {
      const before = messages
      const answer = converse(socket.data, chunk)
      if (answer && pauseMs > 0 && messages > before) setTimeout(() => socket.write(answer), pauseMs)
      else if (answer) socket.write(answer)
    },
  },
})

/** Answers everything that has arrived completely. */
function converse(talk: Talk, chunk: Buffer): string {
  // What is kept of the chunk is copied, because its memory is reused.
  let input = talk.rest.length === 0 ? chunk : Buffer.concat([talk.rest, chunk])
  let answer = ''
  for (;;) {
    const length = talk.inBody ? lengthOfMessage(input) : input.indexOf('\n') + 1
    if (length === 0) break
    answer += talk.inBody ? finish(talk, length) : reply(talk, input.subarray(0, length))
    input = input.subarray(length)
  }
  const kept = talk.inBody ? input.subarray(-(endOfMessage.length - 1)) : input
  if (talk.inBody) bytes += input.length - kept.length
  talk.rest = kept.length === 0 ? nothing : Buffer.from(kept)
  return answer
}

/** What may follow a message in the same piece: the commands of the next one. */
const commandsAtMost = 1_024

/** Zero until its end has arrived. */
function lengthOfMessage(input: Buffer): number {
  const end = input.indexOf(endOfMessage, Math.max(0, input.length - commandsAtMost))
  return end === -1 ? 0 : end + endOfMessage.length
}

function finish(talk: Talk, length: number): string {
  talk.inBody = false
  messages++
  bytes += length
  return '250 2.0.0 taken\r\n'
}

function reply(talk: Talk, command: Buffer): string {
  switch (command.toString('latin1', 0, 4).toUpperCase()) {
    case 'RCPT':
      if (command.includes(slowDomain)) slow++
      return '250 2.1.5 ok\r\n'
    case 'EHLO':
      return '250-sink\r\n250-PIPELINING\r\n250-8BITMIME\r\n250 ENHANCEDSTATUSCODES\r\n'
    case 'QUIT':
      return '221 2.0.0 bye\r\n'
    case 'DATA':
      talk.inBody = true
      return '354 go ahead\r\n'
    default:
      return '250 2.0.0 ok\r\n'
  }
}

console.log(server.port)
for await (const _ of console) console.log(messages, bytes, slow)

export {}
