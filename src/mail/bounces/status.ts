// Delivery status: the fields of RFC 3464 about one recipient, read with the tolerance that servers need.

import { parseDate } from '../../lib/time'
import type { Fields } from './fields'
import { likelyFailure, readGivenUp } from './given-up'
import { ownText, passageAbout } from './passage'
import type { Meaning } from './refusal'
import type { MailReport } from './report'

/** The reports of the groups that are about a recipient. `text` is what the server wrote for people, which often says more; `inProse`: the fields too. */
export function statusReports(groups: readonly Fields[], text: string, inProse = false): MailReport[] {
  return groups.flatMap(fields => statusReport(fields, text, inProse) ?? [])
}

const failures = new Set(['failed', 'failure', 'fail', 'error', 'expired', 'undeliverable'])
const deliveries = new Set(['delivered'])
const uninformative = new Set(['relayed', 'expanded', 'deliverable'])

function statusReport(fields: Fields, text: string, inProse: boolean): MailReport | undefined {
  const action = /^[a-z]+/i.exec(fields.get('action') ?? '')?.[0]?.toLowerCase()
  const [status] = /[245]\.\d{1,3}\.\d{1,3}/.exec(fields.get('status') ?? '') ?? []
  const isAbout = ['final-recipient', 'original-recipient', 'action', 'diagnostic-code'].filter(name =>
    fields.has(name),
  )
  if (isAbout.length === 0 || (action === undefined && status === undefined)) return undefined
  const common = {
    form: 'status' as const,
    ...recipientOf(fields),
    at: parseDate(fields.get('last-attempt-date') ?? ''),
  }
  if (deliveries.has(action ?? '')) return { ...common, said: 'delivered', words: diagnosticOf(fields) }
  if (uninformative.has(action ?? '')) return { ...common, said: 'none', words: '' }
  const isDelayed = action === 'delayed'
  const isFailure = failures.has(action ?? '') || status?.startsWith('5.')
  if (!isDelayed && !isFailure) return undefined
  const passage = passageAbout(common.recipient, text)
  const around = passage ?? ownText(text)
  const category = categories[fields.get('x-powermta-bouncecategory') ?? '']
  const words = diagnosticOf(fields)
  const facts = { status, words, around, isSpecific: passage !== undefined, inProse, category }
  if (isDelayed) return { ...common, said: 'delayed', likely: likelyFailure(facts), words }
  return { ...common, ...readGivenUp(facts) }
}

/** PowerMTA's own. */
const categories: Readonly<Record<string, Meaning>> = {
  'bad-mailbox': 'dead',
  'bad-domain': 'dead',
  'quota-issues': 'full',
  'spam-related': 'refused',
  'virus-related': 'refused',
  'content-related': 'refused',
  'policy-related': 'refused',
  'invalid-sender': 'refused',
}

/** Some write it where only they read it, or as a comment of the code. */
function diagnosticOf(fields: Fields): string {
  const diagnostic = fields.get('diagnostic-code')
  if (diagnostic) return diagnostic
  const supplementary = fields.get('x-supplementary-info')
  if (supplementary) return supplementary.replace(/^<[^>]*#[\d.]+ smtp;/i, '').replace(/>$/, '')
  return /\(([^()]*)\)/.exec(fields.get('status') ?? '')?.[1] ?? ''
}

/** The address as we wrote to it is preferred to the one that it led to. */
function recipientOf(fields: Fields): Pick<MailReport, 'recipient'> {
  const written = fields.get('original-recipient') ?? fields.get('final-recipient') ?? ''
  const address = written.slice(written.indexOf(';') + 1)
  return address.includes('@') ? { recipient: address.trim() } : {}
}
