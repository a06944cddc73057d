// A submission server of this process, and bare conversations with it: what a well-behaved client would never write.
import { connect, type Socket } from 'node:net'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import { startSubmission } from '../../src/modules/api/submission'
import type { LookTimes } from '../../src/platform/smtp-server/server'
import type { SubmissionConfig } from '../../src/settings/config'
import type { World } from './world'

export interface Submission {
  port: number
  stop(): Promise<void>
}

const loopback = { host: '127.0.0.1', port: 0, implicitTls: false }

/** On a loopback port; keys may come in plain text unless `changes` says otherwise. */
export async function openSubmission(
  world: World,
  {
    implicitTls = false,
    certificateLookMs,
    visitLookMs,
    ...changes
  }: Partial<SubmissionConfig> & { implicitTls?: boolean } & LookTimes = {},
): Promise<Submission> {
  const listeners = [{ ...loopback, implicitTls }]
  const config = { listeners, plainOnLoopback: true, ...changes }
  const times = {
    ...(certificateLookMs ? { certificateLookMs } : {}),
    ...(visitLookMs ? { visitLookMs } : {}),
  }
  const server = await startSubmission(world.ctx, config, times)
  return { port: Number(server.addresses[0]!.split(':').at(-1)), stop: server.stop }
}

export interface Talk {
  socket: Socket | TLSSocket
  /** Everything that was said so far. */
  said(): string
  write(text: string | Uint8Array): void
  /** The last line of the next complete reply; '' where the connection ended. */
  reply(): Promise<string>
  ask(line: string): Promise<string>
  /** Asks for TLS, and turns to it. */
  secure(): Promise<Talk>
  /** Turns to TLS that was asked for. */
  toTls(): Promise<Talk>
  end(): void
}

/** `from` is the loopback address of the client: 127.0.1.1 is in another network than 127.0.0.1. */
export async function talkTo(port: number, from = '127.0.0.1'): Promise<Talk> {
  const socket = connect({ port, host: '127.0.0.1', localAddress: from })
  await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject))
  return talkOver(socket)
}

export function talkOver(socket: Socket | TLSSocket): Talk {
  let said = ''
  let read = 0
  let wake: () => void = () => {}
  let ended = false
  const finish = (): void => {
    ended = true
    wake()
  }
  socket.on('data', (chunk: Buffer) => {
    said += chunk.toString('latin1')
    wake()
  })
  socket.on('close', finish).on('end', finish).on('error', finish)
  const reply = async (): Promise<string> => {
    for (;;) {
      const end = /^\d{3}(?: .*)?\r\n/m.exec(said.slice(read))
      if (end) {
        read += end.index + end[0].length
        return end[0].trimEnd()
      }
      if (ended) return ''
      await new Promise<void>(resolve => {
        wake = resolve
      })
    }
  }
  const talk: Talk = {
    socket,
    said: () => said,
    write: text => void socket.write(text),
    reply,
    ask(line) {
      socket.write(`${line}\r\n`)
      return reply()
    },
    async secure() {
      await talk.ask('STARTTLS')
      return await talk.toTls()
    },
    async toTls() {
      socket.removeAllListeners('data')
      const secured = connectTls({ socket, rejectUnauthorized: false })
      await new Promise<void>((resolve, reject) =>
        secured.once('secureConnect', resolve).once('error', reject),
      )
      return talkOver(secured)
    },
    end: () => socket.destroy(),
  }
  return talk
}

export function plainLogin(key: string): string {
  return `AUTH PLAIN ${Buffer.from(`\0any\0${key}`).toString('base64')}`
}

/** Greeted, and signed in with that key. */
export async function signedIn(port: number, key: string, from?: string): Promise<Talk> {
  const talk = await talkTo(port, from)
  await talk.reply()
  await talk.ask('EHLO test.example')
  const answer = await talk.ask(plainLogin(key))
  if (!answer.startsWith('235')) throw new Error(answer)
  return talk
}
