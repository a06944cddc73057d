// An SMTP sink as a process of its own: accepts everything, keeps nothing, and counts. `bun bench/support/sink.ts` prints its port
// and then the number of messages each time a line comes in on stdin.

interface Talk {
  inBody: boolean
  rest: string
}

let messages = 0

const server = Bun.listen<Talk>({
  hostname: '127.0.0.1',
  port: 0,
  socket: {
    open(socket) {
      socket.data = { inBody: false, rest: '' }
      socket.write('220 sink ESMTP\r\n')
    },
    data(socket, chunk) {
      const talk = socket.data
      talk.rest += chunk.toString('latin1')
      let answer = ''
      for (;;) {
        const end = talk.inBody ? talk.rest.indexOf('\r\n.\r\n') : talk.rest.indexOf('\r\n')
        if (end < 0) break
        const line = talk.rest.slice(0, end)
        talk.rest = talk.rest.slice(end + (talk.inBody ? 5 : 2))
        answer += talk.inBody ? finish(talk) : reply(talk, line)
      }
      if (answer) socket.write(answer)
    },
  },
})

function finish(talk: Talk): string {
  talk.inBody = false
  messages++
  return '250 2.0.0 taken\r\n'
}

function reply(talk: Talk, line: string): string {
  const verb = line.slice(0, 4).toUpperCase()
  if (verb === 'EHLO') return '250-sink\r\n250-PIPELINING\r\n250-8BITMIME\r\n250 ENHANCEDSTATUSCODES\r\n'
  if (verb === 'QUIT') return '221 2.0.0 bye\r\n'
  if (verb !== 'DATA') return '250 2.0.0 ok\r\n'
  talk.inBody = true
  return '354 go ahead\r\n'
}

console.log(server.port)
for await (const _ of console) console.log(messages)

export {}
