// Hands one message over by SMTP, as a program of its own: what sending costs is no part of what receiving does.
// `bun mail-sender.ts PORT KEY FROM TO FILE` prints the last reply; KEY is `-` where nobody signs in.

import { readFileSync } from 'node:fs'
import { connect } from 'node:net'

const [port, key, from, to, file] = process.argv.slice(2)
const socket = connect(Number(port), '127.0.0.1')
let said = ''
let wake = (): void => {}
socket.on('data', chunk => {
  said += chunk.toString('latin1')
  wake()
})
socket.on('close', () => process.exit(1))
socket.on('error', () => {})

async function reply(): Promise<string> {
  for (;;) {
    const end = /^\d{3}(?: .*)?\r\n/m.exec(said)
    if (end) {
      said = said.slice(end.index + end[0].length)
      return end[0].trim()
    }
    await new Promise<void>(resolve => {
      wake = resolve
    })
  }
}

const ask = (line: string): Promise<string> => {
  socket.write(`${line}\r\n`)
  return reply()
}

await reply()
await ask('EHLO client.example')
if (key !== '-') await ask(`AUTH PLAIN ${Buffer.from(`\0x\0${key}`).toString('base64')}`)
await ask(`MAIL FROM:<${from}>`)
await ask(`RCPT TO:<${to}>`)
let answer = await ask('DATA')
if (answer.startsWith('354')) {
  socket.write(readFileSync(file!))
  answer = await ask('\r\n.')
}
process.stdout.write(answer)
process.exit(0)
