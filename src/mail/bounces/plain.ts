// Reports in plain words, without a part for programs: qmail's form (QSBMF), Exim's and those of its hosters, sendmail of old, Yahoo, GMX,
// Zoho, mail.ru, Google Groups, DragonFly, old Exchange, and servers that write like them. Anyone can write such a message, so callers believe it only
// where it came to an address that one message alone has.
import type { Email } from 'postal-mime'
import { type GivenUp, likelyFailure, readGivenUp } from './given-up'
import { headOf, ownText, passageAbout } from './passage'
import { findPhrase } from './phrases'
import type { MailReport } from './report'
import { comparable } from './text'

/** What the mail says of each recipient that it names; nothing if it does not look like a report. */
export function readPlainForm(mail: Email, text: string): MailReport[] {
  const own = ownText(text)
  const words = comparable(`${mail.subject ?? ''} . ${own}`)
  if (findPhrase(words, answers)) return []
  const recipients = recipientsOf(mail, own)
  if (findPhrase(words, delays))
    return [
      {
        ...{ said: 'delayed', form: 'plain', words: own, likely: likelyFailure(factsOf(own)) },
        ...(recipients[0] ? { recipient: recipients[0] } : {}),
      },
    ]
  if (!findPhrase(words, failures) && recipients.length === 0) return []
  if (recipients.length === 0) return [{ form: 'plain', ...readPassage(own) }]
  return recipients.map(recipient => ({
    form: 'plain',
    recipient,
    ...readPassage(passageAbout(recipient, text) ?? own, own),
  }))
}

function readPassage(passage: string, whole = passage): ReturnType<typeof readGivenUp> {
  return readGivenUp(factsOf(passage, whole))
}

function factsOf(passage: string, whole = passage): GivenUp {
  const words = wordsIn(passage) || wordsIn(whole) || passage
  return { words, around: whole, isSpecific: true, inProse: true }
}

const names =
  /mailer-?daemon|mail.?delivery|postmaster|post_master|daemon|no-?reply|administrator|bounce|ndr|mmsc|admin/i

/** Whether a mail server seems to have written it. */
export function isFromServer({ from, subject, returnPath, headers }: Email): boolean {
  if (headers.some(({ key }) => key === 'x-failed-recipients')) return true
  const isDaemon =
    names.test(`${from?.address ?? ''} ${from?.name ?? ''}`) ||
    /^<?(?:mailer-daemon.*)?>?$/i.test(returnPath ?? 'none')
  return isDaemon || findPhrase(comparable(subject ?? ''), failures) !== undefined
}

const failures: readonly string[] = [
  ...[
    'could not be delivered',
    "couldn't be delivered",
    'cannot be delivered',
    "can't be delivered",
    'unable to deliver',
    'not able to deliver',
  ],
  ...[
    "wasn't able to deliver",
    'was not delivered',
    "wasn't delivered",
    'undeliver',
    'non delivery',
    'nondelivery',
    'delivery failure',
    'delivery failed',
  ],
  ...[
    'delivery has failed',
    'delivery status notification',
    'failure notice',
    'failed permanently',
    'returned mail',
    'returning message',
    'returned to sender',
  ],
  ...[
    'returning to sender',
    'mail failed',
    'mail failure',
    'mail system error',
    'did not reach',
    'permanent error',
    'permanent fatal',
    'permanent failure',
  ],
  ...[
    'delivery problems',
    'delivery errors',
    'error delivering',
    'error sending your mail',
    'trouble delivering',
    'bounce notification',
    'was rejected',
  ],
  ...[
    'were unable to',
    'remote server replied',
    'failed recipient',
    'unknown user',
    'user unknown',
    'no such user',
    'konnte nicht',
    "n'a pas pu",
  ],
  ...[
    'no se pudo',
    'no ha podido',
    'non è stato possibile',
    'loop alert',
    'не может быть доставлено',
    'недоставлен',
    '送信できませんでした',
    '配信できません',
    '无法',
    '退信',
  ],
]

const delays: readonly string[] = [
  ...[
    'has been delayed',
    'delayed mail',
    'delivery delayed',
    'delay notification',
    'notification delay',
    'warning message only',
    'warning only',
  ],
  ...[
    'will be retried',
    'still being retried',
    'will continue to try',
    'not yet been delivered',
    'no action is required',
    'temporary problem',
    'delay reason',
  ],
]

const answers: readonly string[] = [
  'out of office',
  'out of the office',
  'auto reply',
  'autoreply',
  'automatic reply',
  'vacation',
  'read receipt',
  'abwesen',
]

/** Named in the header by Exim and Gmail; else in front of a line; else anywhere after the words that lead to it. */
function recipientsOf({ headers }: Email, own: string): string[] {
  const named = headers.find(({ key }) => key === 'x-failed-recipients')?.value ?? ''
  const listed = named
    .split(',')
    .map(one => one.trim())
    .filter(one => one.includes('@'))
  if (listed.length > 0) return [...new Set(listed)].slice(0, maxRecipients)
  const lines = own.split(/\r\n|\r|\n/)
  const heads = lines.flatMap(line => headOf(line.replace(/\bmailto:.*/i, '')) ?? [])
  const inside =
    /(?:to|recipients?|address(?:es)?|errors?|user|userid):?\s{1,4}<?([^\s<>"'(),;:[\]=]{1,64}@[a-z0-9.-]{1,253})/i.exec(
      lines.join(' '),
    )?.[1]
  const found = heads.length > 0 ? heads : inside ? [inside.toLowerCase()] : []
  return [...new Set(found)].slice(0, maxRecipients)
}

const maxRecipients = 20

/** What leads to the words of the other side. */
const leads: readonly string[] = [
  ...[
    'error that the other server returned was:',
    'the response was:',
    'remote host said:',
    'server message',
    'failed with:',
    'responded with failure:',
  ],
  ...[
    'for the following reason:',
    'reason for the problem:',
    'transcript of session follows',
    'reject reason:',
    'reason:',
    'because:',
    'said:',
  ],
  ...[
    'remote server replied:',
    'technical details of permanent failure:',
    'error message below:',
    'technical details:',
    'error message:',
  ],
]

/** From the first reply code, or from the words that lead to it. */
function wordsIn(passage: string): string {
  const code = /(?:^|[\s"'([:-])([45]\d\d(?:[ -]|: ).*)/s.exec(passage)?.[1]
  if (code) return paragraph(code)
  const lower = passage.toLowerCase()
  const lead = leads.find(one => lower.includes(one))
  return lead === undefined ? '' : paragraph(passage.slice(lower.indexOf(lead) + lead.length).trim())
}

function paragraph(text: string): string {
  return text.split(/\r?\n[ \t]*\r?\n|\\?"[,}\]]/, 1)[0]!
}
