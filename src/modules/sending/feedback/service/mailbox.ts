// A mailbox that bounces and complaints are delivered to, read by IMAP: each new mail is applied, and then marked or moved. One job at a time
// reads it, for all instances. A mail that is read again, because the mark got lost, changes nothing.
import { rootCertificates } from 'node:tls'
import type { ImapFlow } from 'imapflow'
import { reportLimit } from '../../../../http/body-limit'
import { AppError } from '../../../../lib/errors'
import { after, minute, second } from '../../../../lib/time'
import { type Context, inTransaction } from '../../../../platform/context'
import type { Logger } from '../../../../platform/log'
import { perInstance } from '../../../../platform/per-context'
import type { MailboxSettings } from '../../../../settings/formats'
import { addressesIn, receiveReturnedMail } from './reports'
import { noteReturned } from './returned'

const longestPauseMs = 30 * minute
/** Of one look; what is left waits for the next. */
const maxMails = 500
/** One mail that fails again and again must not hold up the others; if all of them fail, it is not the mail. */
const maxErrors = 5

interface Outage {
  failures: number
  until: Date
}

const outageOf = perInstance<{ current?: Outage }>(() => ({}))

/** Reads what is new. A server that can't be reached is left alone for longer each time, up to half an hour. */
export async function readReturned(ctx: Context, signal?: AbortSignal): Promise<void> {
  const settings = ctx.config.bounceMailbox
  const outage = outageOf(ctx)
  if (!settings || (outage.current && ctx.clock.now() < outage.current.until)) return
  const client = await connected(ctx, settings).catch((error: Error) => error)
  if (client instanceof Error) {
    const failures = (outage.current?.failures ?? 0) + 1
    const pauseMs = Math.min(longestPauseMs, 2 ** (failures - 1) * minute)
    // A little less, so that the tick of that minute finds it over.
    outage.current = { failures, until: after(ctx.clock.now(), pauseMs - second) }
    ctx.log.warn({ host: settings.host, reason: reasonOf(client), failures }, 'the mailbox could not be read')
    return
  }
  delete outage.current
  const stop = (): void => client.close()
  signal?.addEventListener('abort', stop)
  try {
    await readFolder(ctx, client, settings, signal)
    await client.logout()
  } finally {
    signal?.removeEventListener('abort', stop)
    client.close()
  }
}

/** Signs in and opens the folder, as a look does, and changes nothing. Rejects with what the server said. */
export async function tryMailbox(log: Logger, settings: MailboxSettings): Promise<void> {
  const client = await connected({ log }, settings).catch((error: Error) => {
    throw new Error(reasonOf(error), { cause: error })
  })
  try {
    const lock = await client.getMailboxLock(settings.folder, { readOnly: true })
    lock.release()
    await client.logout()
  } finally {
    client.close()
  }
}

/** What the server said, where it said anything. */
function reasonOf(error: Error & { responseText?: string }): string {
  return (error.responseText ?? error.message).slice(0, 500)
}

async function connected(ctx: Pick<Context, 'log'>, settings: MailboxSettings): Promise<ImapFlow> {
  const { ImapFlow } = await import('imapflow')
  const { host, port, implicitTls, needsTls, user, password, caFile } = settings
  const client = new ImapFlow({
    host,
    port,
    secure: implicitTls,
    ...(needsTls ? { doSTARTTLS: true } : {}),
    ...(caFile ? { tls: { ca: [...rootCertificates, await Bun.file(caFile).text()] } } : {}),
    auth: { user, pass: password },
    logger: false,
    disableAutoIdle: true,
    connectionTimeout: 20 * second,
    greetingTimeout: 20 * second,
    socketTimeout: minute,
  })
  // A connection that breaks also rejects what waits for it.
  client.on('error', error => ctx.log.debug({ error: String(error) }, 'the connection to the mailbox broke'))
  await client.connect()
  return client
}

async function readFolder(
  ctx: Context,
  client: ImapFlow,
  { folder, doneFolder }: MailboxSettings,
  signal?: AbortSignal,
): Promise<void> {
  const lock = await client.getMailboxLock(folder)
  try {
    if (doneFolder) await client.mailboxCreate(doneFolder)
    const found = (await client.search({ seen: false }, { uid: true })) || []
    const errors: unknown[] = []
    for (const uid of found.slice(0, maxMails)) {
      if (signal?.aborted || errors.length === maxErrors) break
      const isDone = await isTaken(ctx, client, String(uid)).catch(error => void errors.push(error))
      if (!isDone) continue
      if (doneFolder) await client.messageMove(String(uid), doneFolder, { uid: true })
      else await client.messageFlagsAdd(String(uid), ['\\Seen'], { uid: true })
    }
    if (errors.length > 0) throw errors[0]
  } finally {
    lock.release()
  }
}

/** False for a mail that has to be read again later. One that is too long for a report is none. */
async function isTaken(ctx: Context, client: ImapFlow, uid: string): Promise<boolean> {
  const mail = await client.fetchOne(uid, { size: true, source: { maxLength: reportLimit } }, { uid: true })
  if (!mail) return false
  if (!mail.source || (mail.size ?? 0) > reportLimit) {
    await inTransaction(ctx, tx => noteReturned(tx, 'notUnderstood', { addresses: [], named: undefined }))
    return true
  }
  try {
    const addresses = addressesIn(mail.source)
    await receiveReturnedMail(ctx, mail.source, { addresses, takes: 'all', sender: 'mailbox' })
    return true
  } catch (error) {
    if (error instanceof AppError && error.status === 503) return false
    throw error
  }
}
