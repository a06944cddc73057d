// Complaints: feedback reports (ARF, RFC 5965), and Hotmail's own form.
import type { Email } from 'postal-mime'
import { parseDate } from '../../lib/time'
import { readFieldGroups } from './fields'
import type { MailReport, Said } from './report'

interface Part {
  type: string
  text: string
}

/** Only these types are what a person said; the others come from programs, about authentication, viruses or a mistake. */
const meanings: Readonly<Record<string, Said>> = {
  abuse: 'complaint',
  fraud: 'complaint',
  'opt-out': 'optOut',
  'opt-out-list': 'optOut',
}

/** What a type of feedback means; `none` for those that change nothing. Providers write the same names in their webhooks. */
export function meaningOfFeedback(type: string | undefined): Said {
  const name = type?.trim().toLowerCase() ?? ''
  return Object.hasOwn(meanings, name) ? meanings[name]! : 'none'
}

/** The complaints of a mail; each feedback report is about one message. */
export function complaintsIn(mail: Email, parts: readonly Part[]): MailReport[] {
  const reports = parts
    .filter(({ type }) => type === 'message/feedback-report')
    .flatMap(part => feedbackIn(part.text))
  return reports.length > 0 ? reports : jmrIn(mail, parts)
}

function feedbackIn(text: string): MailReport[] {
  const [fields] = readFieldGroups(text)
  const type = fields?.get('feedback-type')?.toLowerCase()
  if (!fields || !type) return []
  const at = parseDate(fields.get('arrival-date') ?? fields.get('received-date') ?? '')
  const recipient = fields.get('original-rcpt-to')?.replace(/[<>\s]/g, '')
  return [
    {
      said: meaningOfFeedback(type),
      form: 'feedback',
      words: `complaint ${type}`,
      at,
      ...(recipient?.includes('@') ? { recipient } : {}),
    },
  ]
}

/** The Junk Mail Reporting Program sends the message itself, under a header of its own. */
function jmrIn({ subject }: Email, parts: readonly Part[]): MailReport[] {
  if (!/complaint about message from/i.test(subject ?? '')) return []
  const found = parts.flatMap(part => {
    const [fields] = part.type === 'message/rfc822' ? readFieldGroups(part.text) : []
    const recipient = fields?.get('x-hmxmroriginalrecipient')
    return recipient ? [recipient.replace(/[<>\s]/g, '')] : []
  })
  return found
    .slice(0, 1)
    .map(recipient => ({ said: 'complaint', form: 'feedback', words: 'complaint abuse', recipient }))
}
