// A mail server that keeps what it takes: a real one (smtp-server), for tests that look at mails as their readers get them.
import { SMTPServer } from 'smtp-server'
import type { FinishedMessage } from '../../src/mail/message'
import { smtpTransport } from '../../src/platform/transports/smtp'
import type { Transport } from '../../src/platform/transports/transport'

export interface Mailbox {
  /** As SMTP_URL wants it. */
  url: string
  transport: Transport
  /** As they came, in the order of arrival. */
  taken: FinishedMessage[]
  stop(): Promise<void>
}

const longMs = 30_000
const limits = {
  connectMs: longMs,
  greetingMs: longMs,
  commandMs: longMs,
  bodyMs: longMs,
  finalMs: longMs,
  idleMs: longMs,
}

export async function startMailbox(): Promise<Mailbox> {
  const taken: Mailbox['taken'] = []
  const server = new SMTPServer({
    logger: false,
    authOptional: true,
    disableReverseLookup: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, { envelope }, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const to = envelope.rcptTo[0]!.address
        const from = envelope.mailFrom ? envelope.mailFrom.address : ''
        taken.push({ id: String(taken.length), envelope: { from, to }, raw: Buffer.concat(chunks) })
        done()
      })
    },
  })
  server.on('error', () => {})
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as { port: number }
  const url = `smtp://127.0.0.1:${port}?pool=1`
  const transport = smtpTransport({ url, limits })
  return {
    url,
    transport,
    taken,
    async stop() {
      await transport.close()
      await new Promise<void>(resolve => server.close(resolve))
    },
  }
}
