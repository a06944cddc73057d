// Messages per second by SMTP, compared with the same messages by POST /v1/send to the same program. Aim: at least 0.8.
import { connect } from 'node:net'
import { jsonPost, runLoad } from './support/load'
import { startProgram } from './support/program'

const connections = 32
const seconds = 6
const html = `<html><body><h1>Your order</h1>${'<p>Thank you, Ada. It is on its way.</p>'.repeat(12)}</body></html>`

/** A message as a program would write it, with a text part of its own. */
function message(n: number): string {
  return [
    'From: Bench <a@bench.example>',
    `To: ada-${n}@example.com`,
    `Subject: Your order ${n}`,
    `Message-ID: <order-${n}-${Date.now()}@bench.example>`,
    'MIME-Version: 1.0',
    'Content-Type: multipart/alternative; boundary=b',
    '',
    ...['--b', 'Content-Type: text/plain; charset=utf-8', '', 'Thank you, Ada. It is on its way.'],
    ...['--b', 'Content-Type: text/html; charset=utf-8', '', html, '--b--', '.', ''],
  ].join('\r\n')
}

/** One connection that submits one message after another; returns how many were accepted. */
async function submitter(port: number, key: string, until: number, next: () => number): Promise<number> {
  const socket = connect(port, '127.0.0.1')
  let said = ''
  let wake: () => void = () => {}
  socket.setNoDelay(true).on('data', chunk => {
    said += chunk.toString('latin1')
    wake()
  })
  const reply = async (): Promise<string> => {
    for (;;) {
      const end = /^\d{3} .*\r\n/m.exec(said)
      if (end) {
        said = said.slice(end.index + end[0].length)
        return end[0]
      }
      await new Promise<void>(resolve => {
        wake = resolve
      })
    }
  }
  const ask = (text: string): Promise<string> => {
    socket.write(text)
    return reply()
  }
  await reply()
  await ask('EHLO bench\r\n')
  await ask(`AUTH PLAIN ${Buffer.from(`\0x\0${key}`).toString('base64')}\r\n`)
  let taken = 0
  while (performance.now() < until) {
    const n = next()
    socket.write(`MAIL FROM:<a@bench.example>\r\nRCPT TO:<ada-${n}@example.com>\r\nDATA\r\n`)
    await reply()
    await reply()
    await reply()
    const answer = await ask(message(n))
    if (!answer.startsWith('250')) throw new Error(answer)
    taken++
  }
  socket.end('QUIT\r\n')
  return taken
}

async function measureSmtp(port: number, key: string, forSeconds: number, first: number): Promise<number> {
  let count = first
  const startedAt = performance.now()
  const until = startedAt + forSeconds * 1000
  const taken = await Promise.all(
    Array.from({ length: connections }, () => submitter(port, key, until, () => count++)),
  )
  return taken.reduce((sum, one) => sum + one, 0) / ((performance.now() - startedAt) / 1000)
}

export async function run(): Promise<void> {
  const reserved = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } })
  const { port: smtpPort } = reserved
  reserved.stop(true)
  const program = await startProgram({
    ROLE: 'api',
    SMTP_LISTEN: `127.0.0.1:${smtpPort}`,
    SMTP_PLAIN_ON_LOOPBACK: 'true',
  })
  try {
    const { hostname, port, host } = new URL(program.url)
    const request = (n: number) =>
      jsonPost('/v1/send', host, program.secretKey, {
        to: `ada-${n}@example.com`,
        from: 'a@bench.example',
        subject: `Your order ${n}`,
        body: html,
      })
    const load = { host: hostname, port: Number(port), connections, request }
    await runLoad({ ...load, seconds: 2, request: n => request(n + 10_000_000) })
    await measureSmtp(smtpPort, program.secretKey, 2, 20_000_000)
    const before = await runLoad({ ...load, seconds: seconds / 2 })
    const smtp = await measureSmtp(smtpPort, program.secretKey, seconds, 30_000_000)
    const after = await runLoad({ ...load, seconds: seconds / 2, request: n => request(n + 40_000_000) })
    const http = (before.perSecond + after.perSecond) / 2
    console.log(`POST /v1/send   ${before.perSecond.toFixed(0)} and ${after.perSecond.toFixed(0)} messages/s`)
    console.log(`SMTP            ${smtp.toFixed(0)} messages/s`)
    console.log(`ratio           ${(smtp / http).toFixed(2)}`)
  } finally {
    await program.stop()
  }
}

if (import.meta.main) await run()
