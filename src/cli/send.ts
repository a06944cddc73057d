// `waxwing send --to ADDRESS`: one test mail through the configured transport, handed over at once and recorded nowhere; what the other
// side answers is printed. It is signed where a project has verified the sender's domain.

import { addressFault, asciiAddress, domainOf, isEmail, normaliseEmail } from '../lib/address'
import { escapeHtml } from '../lib/escape'
import { type SigningKey, signMessage } from '../mail/dkim/sign'
import { buildMime } from '../mail/mime/message'
import { messageIdOf } from '../mail/mime/message-id'
import { senderKeyOf } from '../modules/sending/domains'
import { version } from '../platform/build'
import type { Logger } from '../platform/log'
import { matcherOf } from '../platform/transports/several/conditions'
import type { Transport } from '../platform/transports/transport'
import {
  buildContext,
  connectBeside,
  hasDatabase,
  makeEntryTransport,
  makeTransport,
  missingMigrations,
  systemClock,
  systemRandom,
} from '../server/compose'
import type { Config } from '../settings/config'
import type { TransportEntry } from '../settings/transport-list'
import { readArguments, UsageFault } from './arguments'
import { readConfig } from './start'

export const sendFlags = {
  to: { kind: 'text', value: 'ADDRESS', description: 'who gets the mail' },
  from: { kind: 'text', value: 'ADDRESS', description: 'the sender; SYSTEM_EMAIL_FROM unless it is given' },
  transport: { kind: 'text', value: 'NAME', description: 'which of the transports, where there are several' },
} as const

export async function send(given: string[]): Promise<number> {
  const { flags } = readArguments(given, sendFlags)
  if (flags.to === undefined) throw new UsageFault('--to ADDRESS is missing')
  const { config, log } = readConfig()
  const to = readAddress('--to', flags.to)
  const from = flags.from === undefined ? platformSender(config) : readAddress('--from', flags.from)
  const transport = chosenTransport(config, flags.transport, { from, to })
  const key = transport.signsItself ? await findKey(config, log, domainOf(from)) : undefined
  const id = systemRandom.uuid(systemClock.now())
  const raw = testMessage(id, from, to, config)
  console.log(`from ${from} to ${to} through ${transport.name}, ${signature(transport.signsItself, key)}`)
  try {
    const message = { id, envelope: { from, to }, raw: key ? await signMessage(raw, key) : raw }
    const { outcome, response, stage } = await transport.send(message)
    console.log(`${outcome}${stage ? ` (${stage})` : ''}: ${response}`)
    return outcome === 'accepted' ? 0 : 1
  } finally {
    await transport.close()
  }
}

/** The one that is asked for, or the first that is for such a mail. */
function chosenTransport(
  config: Config,
  name: string | undefined,
  envelope: { from: string; to: string },
): Transport {
  const entries = config.transports ?? []
  const names = entries.map(entry => entry.name).join(', ')
  if (name === undefined && entries.length === 0) return makeTransport(config)
  const isFor = (entry: TransportEntry): boolean =>
    matcherOf(entry)({ id: '', kind: 'instance', ...envelope })
  const entry = entries.find(one => (name === undefined ? isFor(one) : one.name === name))
  if (entry) return makeEntryTransport(config, entry)
  throw new UsageFault(
    names === ''
      ? '--transport NAME is for instances with a TRANSPORTS_FILE'
      : `--transport must be one of ${names}`,
  )
}

function platformSender({ systemEmailFrom }: Config): string {
  const address = asciiAddress(systemEmailFrom)
  if (isEmail(address)) return address
  throw new UsageFault(
    `--from ADDRESS is missing: ${systemEmailFrom}, the sender of platform mails, is not an address that mail can come from`,
  )
}

function readAddress(flag: string, text: string): string {
  const fault = addressFault(text)
  if (fault !== undefined) throw new UsageFault(`${flag} ${fault}, but it is ${JSON.stringify(text)}`)
  return asciiAddress(normaliseEmail(text))
}

function testMessage(id: string, from: string, to: string, config: Config): Uint8Array {
  const words = `This is a test mail of Waxwing ${version} at ${config.baseUrl}. It was sent with "waxwing send".`
  return buildMime({
    from,
    fromName: 'Waxwing',
    to,
    subject: 'A test mail of Waxwing',
    html: `<p>${escapeHtml(words)}</p>`,
    text: words,
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Waxwing-Test': 'true' },
    attachments: [],
    messageId: messageIdOf(id, from),
    date: systemClock.now(),
  })
}

/** The key of the domain, where the database is there and a project has verified it. */
async function findKey(config: Config, log: Logger, domain: string): Promise<SigningKey | undefined> {
  if (!hasDatabase(config)) return undefined
  const database = await connectBeside(config, log)
  try {
    if ((await missingMigrations(database)).length > 0) return undefined
    const ctx = await buildContext(config, database, log)
    const key = await senderKeyOf(ctx, domain)
    await ctx.mail.close()
    return key
  } finally {
    await database.close()
  }
}

function signature(signsItself: boolean, key: SigningKey | undefined): string {
  if (!signsItself) return 'which signs it'
  return key ? `signed for ${key.domain}` : 'not signed: no project has verified the domain of the sender'
}
