// Every language says everything that English says: the same names, the same values in its sentences, and its own words.
import { describe, expect, test } from 'bun:test'
import { Glob } from 'bun'
import * as de from '../../../src/dashboard/texts/de'
import * as en from '../../../src/dashboard/texts/en'
import * as fr from '../../../src/dashboard/texts/fr'
import { ownEventNames } from '../../../src/lib/event-names'
import { auditActions } from '../../../src/modules/accounts/projects/audit'
import { disabledReasons, roles } from '../../../src/modules/accounts/projects/schema'
import { outboxKinds } from '../../../src/modules/accounts/system-emails/schema'
import { deliveryStatuses } from '../../../src/modules/api/webhooks/schema'
import { consentStates } from '../../../src/modules/audience/contacts/schema/people/schema'
import { suppressionReasons } from '../../../src/modules/audience/suppressions/schema'
import { reactions } from '../../../src/modules/features/campaigns/results/recipient-filter'
import { audienceTypes, campaignStatuses } from '../../../src/modules/features/campaigns/schema'
import { formFieldTypes } from '../../../src/modules/features/forms/schema'
import { executionStatuses, stepTypes, waitOutcomes } from '../../../src/modules/features/workflows/words'
import { activityTypes } from '../../../src/modules/oversight/reporting/types'
import { findingCodes } from '../../../src/modules/sending/domains/health/finding'
import { emailStatuses } from '../../../src/modules/sending/emails/schema'
import { returnedOutcomes } from '../../../src/modules/sending/feedback/schema'
import { emailReasons } from '../../../src/platform/transports/reason'

/** Texts by their paths; what functions say is said of numbers that are told apart wherever they come to stand. */
function spoken(part: unknown, path = ''): Map<string, string> {
  if (typeof part === 'string') return new Map([[path, part]])
  if (typeof part === 'function') return spoken(said(part as Say), path)
  const entries = Object.entries(part as Record<string, unknown>)
  return new Map(entries.flatMap(([name, each]) => [...spoken(each, path ? `${path}.${name}` : name)]))
}

type Say = (...values: unknown[]) => unknown

/** Said of numbers, or of lists where it takes some. */
function said(say: Say): unknown {
  const values = Array.from({ length: say.length }, (_, index) => 31 + index)
  try {
    return say(...values)
  } catch {
    return say(...values.map(value => [value]))
  }
}

const valuesIn = (text: string): string[] => [...new Set(text.match(/\b3\d\b/g))].sort()

/** The same in another language, and right so: names, and words that came from there. */
const names = [
  ...'Waxwing API Message-ID JSON GitHub Google Markdown HTML Marketing Admin sendmail'.split(' '),
  ...'Workflow Workflows Webhooks Segment Segments Team Test Type Variable Version Simulation'.split(' '),
  ...['Amazon SES', 'HTTP 31', 'Port (STARTTLS)', 'Port (TLS)', 'URL'],
]
/** Fonts, and an address where the post brings letters. */
const alike = [
  ...['Logo', 'Arial', 'Verdana', 'Tahoma', 'Trebuchet MS', 'Georgia', 'Times New Roman', 'Courier New'],
  'Fernway GmbH, Lindenstraße 4, 10969 Berlin',
]

const shared: Record<string, string[]> = {
  de: [
    ...names,
    ...alike,
    'Body (JSON)',
    ...'Auto Block Desktop Domain Domains Editor Filter Layout Layouts Link Links Name Operator optional px Server Status Text Video ID'.split(
      ' ',
    ),
  ],
  fr: [
    ...names,
    ...alike,
    ...'Actions Audience Auto Condition Conditions Contact Contacts Date Description Image Instance'.split(
      ' ',
    ),
    ...'Invitation Invitations Menu Message Messages minutes Mode Note Pages px Section Sessions'.split(' '),
    ...'Source Style Transport Transports ID'.split(' '),
    'Signature (DKIM)',
    'Date 2026-12-31',
    'Date 31.12.2026',
    'Date 12/31/2026',
    '31 contacts',
    '31 minutes',
  ],
}

const english = spoken(en)

test('the audit log has a word for everything that it may hold', () => {
  expect(Object.keys(en.settings.audit.actions).sort()).toEqual([...auditActions].sort())
})

test('the page of a domain has a sentence for every finding', () => {
  expect(Object.keys(en.domains.health.codes).sort()).toEqual([...findingCodes].sort())
})

// What is kept as a word of the API's is never shown as it is.
test.each<[name: string, texts: Record<string, string>, words: readonly string[]]>([
  ['states of messages', en.messages.statuses, emailStatuses],
  ['events', en.messages.events, ownEventNames],
  ['kinds of activity', en.activity.types, activityTypes],
  ['states of campaigns', en.campaigns.statuses, campaignStatuses],
  ['reactions', en.campaigns.reactions, reactions],
  ['kinds of audiences', en.campaigns.audiences, audienceTypes],
  ['runs of workflows', en.workflows.statuses, executionStatuses],
  ['runs of workflows, of a contact', en.contacts.executions, executionStatuses],
  ['steps of workflows', en.workflows.types, stepTypes],
  ['ends of a wait', en.workflows.outcomes, waitOutcomes],
  ['deliveries', en.webhooks.deliveryStates, deliveryStatuses],
  ['kinds of mail in the outbox', en.outbox.kinds, outboxKinds],
  ['reasons of emails', en.messages.why.reasons, emailReasons],
  ['reasons of suppressions', en.suppressions.reasons, suppressionReasons],
  ['reasons of suspensions', en.home.suspensions, disabledReasons],
  ['states of consent', en.contacts.consentStates, consentStates],
  ['mail that came back', en.instance.outcomes, returnedOutcomes],
  ['roles', en.settings.roles, roles],
  ['fields of forms', en.forms.types, formFieldTypes],
])('there are words for %s', (_, texts, words) => {
  expect(words.filter(word => !texts[word])).toEqual([])
})

describe.each([
  ['de', de],
  ['fr', fr],
] as const)('%s', (language, texts) => {
  const own = spoken(texts)

  test('has every text', () => {
    expect([...english.keys()].filter(path => !own.has(path))).toEqual([])
  })

  test('leaves none empty', () => {
    expect([...own].filter(([path, text]) => !text.trim() && english.get(path))).toEqual([])
  })

  test('puts the same values into its sentences', () => {
    const lost = [...english].filter(([path, text]) => {
      const has = valuesIn(own.get(path) ?? '')
      return !valuesIn(text).every(value => has.includes(value))
    })
    expect(lost.map(([path]) => path)).toEqual([])
  })

  test('is not English', () => {
    const same = [...own].filter(([path, text]) => english.get(path) === text && /\p{L}/u.test(text))
    const left = same.filter(([, text]) => !shared[language]!.includes(text))
    expect(left.map(([path, text]) => `${path}: ${text}`)).toEqual([])
  })
})

test('French has narrow spaces before its marks, so that no line begins with one', () => {
  const loose = [...spoken(fr)].filter(([, text]) => / [?!;»]|« |\p{L} :/u.test(text))
  expect(loose.map(([path, text]) => `${path}: ${text}`)).toEqual([])
})

test('every text is read somewhere', async () => {
  const files = [...new Glob('**/*.{ts,tsx}').scanSync('src/dashboard')].filter(
    file => !/^texts\/../.test(file),
  )
  const code = (await Promise.all(files.map(file => Bun.file(`src/dashboard/${file}`).text()))).join('\n')
  const words = new Set(code.match(/\w+/g))
  // A record that is handed on, or read by a word of the API, has all of its members read.
  const handedOn = new Set(code.match(/\b\w+\b(?!\s*[.:])/g))
  const unread = (part: unknown, path: string): string[] =>
    typeof part !== 'object' || part === null
      ? []
      : Object.entries(part).flatMap(([name, each]) => {
          if (!words.has(name)) return [`${path}.${name}`]
          return handedOn.has(name) ? [] : unread(each, `${path}.${name}`)
        })
  expect(Object.entries(en).flatMap(([name, page]) => unread(page, name))).toEqual([])
})
