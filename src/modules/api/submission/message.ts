// A message that came by SMTP, as a send: its bytes, and what the ledger shows of them. The envelope says who gets it; the headers To and Cc
// supply the recipients' names.
import { normaliseEmail } from '../../../lib/address'
import { invalid } from '../../../lib/errors'
import { storable } from '../../../lib/storable'
import { occursBeyond } from '../../../mail/mime/foreign'
import { MessageFault } from '../../../mail/mime/parts'
import type { Context } from '../../../platform/context'
import { readByThread, UnreadableMail } from '../../../platform/foreign-mail'
import type { Submission } from '../v1'
import { readOptions } from './options'
import { type Readers, type ReadSubmission, type ReceivedMessage, readSubmission } from './read'

export interface ReceivedEnvelope {
  from: string
  to: readonly string[]
}

export interface ReadMessage {
  submission: Submission
  /** What the program calls it: its own key, or the Message-ID. */
  name: string | undefined
}

/** 422 for anything that can't leave as it is. `projectId` is whose turn it is read in. */
export async function readMessage(
  { config, clock }: Context,
  raw: Buffer,
  envelope: ReceivedEnvelope,
  projectId: string,
): Promise<ReadMessage> {
  const mail = await readMail({ raw, from: envelope.from, at: clock.now() }, projectId)
  if (mail.files > maxFiles) throw unreadable(`it has more than ${maxFiles} files`)
  if (mail.fileBytes > config.maxAttachmentBytes)
    throw invalid([
      {
        field: 'attachments',
        message: `attachments are ${mail.fileBytes} bytes together; at most ${config.maxAttachmentBytes} are allowed`,
        code: 'too_big',
      },
    ])
  const { tracking, tags, metadata, key } = readOptions(mail.options)
  if (tracking && mail.isSealed)
    throw invalid([
      {
        field: 'X-Waxwing-Track',
        message: 'a message that is signed or encrypted must not be changed, so nothing in it is measured',
        code: 'custom',
      },
    ])
  const { messageId } = mail
  const names = new Map(mail.names.map(([address, name]) => [normaliseEmail(address), name]))
  const noted = { ...(messageId ? { messageId } : {}), ...metadata }
  return {
    name: key === undefined ? messageId : `key ${key}`,
    submission: {
      to: envelope.to.map(address => {
        const email = normaliseEmail(address)
        return { email, ...named(names.get(email)) }
      }),
      from: { email: mail.from, ...named(mail.fromName) },
      subject: line(mail.subject).slice(0, maxSubjectLength),
      ...(mail.html ? { body: storable(mail.html) } : {}),
      text: storable(mail.text),
      tracking,
      ...(tags.length > 0 ? { tags } : {}),
      metadata: noted,
      source: {
        raw: Buffer.from(mail.raw.buffer, mail.raw.byteOffset, mail.raw.byteLength),
        messageId,
        hasFiles: mail.files > 0,
      },
    },
  }
}

/** Of others, those that are built to be slow would hold up everybody else. */
const [maxReadHere, maxLinesHere] = [100_000, 5_000]

async function readMail(received: ReceivedMessage, projectId: string): Promise<ReadSubmission> {
  // Loaded with the first message: most instances get none, and take less memory without it.
  readers ??= import('postal-mime')
  try {
    const { raw } = received
    const isSmall = raw.length <= maxReadHere && !occursBeyond(raw, '\n', maxLinesHere)
    if (isSmall) return readSubmission(received, (await readers) as Readers)
    return (await readByThread('submitted', raw, projectId, received)) as ReadSubmission
  } catch (error) {
    if (error instanceof MessageFault || error instanceof UnreadableMail) throw unreadable(error.message)
    throw error
  }
}

let readers: Promise<unknown> | undefined

function unreadable(why: string) {
  return invalid([{ field: '', message: `The message can't be sent as it is: ${why}`, code: 'custom' }])
}

/** More than a request may have, because programs attach each picture of a page separately. */
const maxFiles = 100
const maxSubjectLength = 998
const maxNameLength = 200

/** Header text in one line, fit for the database. */
function line(text: string): string {
  return storable(text)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
}

function named(name: string | undefined): { name?: string } {
  const short = line(name ?? '').slice(0, maxNameLength)
  return short === '' ? {} : { name: short }
}
