// The sample emails to begin with: the blocks of each, around its words in the reader's language. Loaded only where somebody writes.
import { queryOptions } from '@tanstack/react-query'
import type { SampleEmails } from '../texts/en/samples'
import type { Language } from '../texts/language'
import { button, columns, divider, footer, heading, list, mail, paragraph, quote, spacer } from './mail/build'
import type { MailDocument } from './mail/document'

export interface Sample {
  id: string
  name: string
  hint: string
  type: 'MARKETING' | 'TRANSACTIONAL'
  /** Sent to one contact when something happens, not to many at once. */
  isTriggered: boolean
  subject: string
  document: MailDocument
}

interface SampleWords {
  /** The postal address that starters had, its parts divided by " · ": it may still be in emails that began with them. */
  address: string
  hello: string
  /** What fits in an email of anyone, such as a greeting: all else has to be replaced before an email is sent. */
  mayStay: readonly string[]
  emails: SampleEmails
}

export interface SampleTexts extends SampleWords {
  samples: Sample[]
}

const site = 'https://example.com'
const centered = { align: 'center' }
const transactional: ReadonlySet<string> = new Set(['receipt', 'reset'])
const triggered: ReadonlySet<string> = new Set(['receipt', 'reset', 'welcome', 'trial'])

export function withSamples(words: SampleWords): SampleTexts {
  const { blank, newsletter, welcome, announcement, event, offer, digest, receipt, reset, trial } =
    words.emails
  const below = footer('{{brand.address}}')
  const hello = paragraph(words.hello)
  const documents: Record<keyof SampleEmails, MailDocument> = {
    blank: mail('', [heading(blank.heading), paragraph(blank.text), divider, below]),
    newsletter: mail(newsletter.preview, [
      heading(newsletter.heading),
      hello,
      paragraph(newsletter.text),
      divider,
      heading(newsletter.first, 2),
      paragraph(newsletter.firstText),
      button(newsletter.button, `${site}/first`),
      spacer(16),
      columns(
        [heading(newsletter.second, 3), paragraph(newsletter.secondText)],
        [heading(newsletter.third, 3), paragraph(newsletter.thirdText)],
      ),
      divider,
      below,
    ]),
    welcome: mail(welcome.preview, [
      heading(welcome.heading),
      hello,
      paragraph(welcome.text),
      list(welcome.try1, welcome.try2, welcome.try3),
      button(welcome.button, `${site}/start`),
      paragraph(welcome.end),
      divider,
      below,
    ]),
    announcement: mail(announcement.preview, [
      heading(announcement.heading, 1, centered),
      paragraph(announcement.text, centered),
      button(announcement.button, `${site}/new`, centered),
      spacer(8),
      divider,
      heading(announcement.why, 3),
      paragraph(announcement.whyText),
      below,
    ]),
    event: mail(event.preview, [
      heading(event.heading),
      hello,
      paragraph(event.text),
      columns(
        [heading(event.when, 3), paragraph(event.whenText)],
        [heading(event.where, 3), paragraph(event.whereText)],
      ),
      button(event.button, `${site}/event`),
      paragraph(event.decline),
      divider,
      below,
    ]),
    offer: mail(offer.preview, [
      heading(offer.heading, 1, centered),
      paragraph(offer.text, centered),
      button(offer.button, `${site}/shop`, centered),
      spacer(8),
      paragraph(offer.terms, centered),
      divider,
      below,
    ]),
    digest: mail(digest.preview, [
      heading(digest.heading),
      heading(digest.added, 3),
      list(digest.added1, digest.added2),
      heading(digest.improved, 3),
      list(digest.improved1, digest.improved2),
      quote(digest.quote),
      button(digest.button, `${site}/changes`),
      divider,
      below,
    ]),
    receipt: mail(receipt.preview, [
      heading(receipt.heading),
      paragraph(receipt.text),
      divider,
      columns([paragraph(receipt.order)], [paragraph('{{amount}}', { align: 'right' })]),
      divider,
      button(receipt.button, `${site}/orders/{{number}}`),
      below,
    ]),
    reset: mail(reset.preview, [
      heading(reset.heading),
      paragraph(reset.text),
      button(reset.button, '{{resetUrl}}'),
      paragraph(reset.otherwise),
      below,
    ]),
    trial: mail(trial.preview, [
      heading(trial.heading),
      hello,
      paragraph(trial.text),
      columns(
        [heading(trial.team, 3), paragraph(trial.teamPrice), button(trial.teamButton, `${site}/plans/team`)],
        [
          heading(trial.business, 3),
          paragraph(trial.businessPrice),
          button(trial.businessButton, `${site}/plans/business`),
        ],
      ),
      divider,
      paragraph(trial.questions),
      below,
    ]),
  }
  const samples = Object.entries(documents).map(([id, document]): Sample => {
    const { name, hint, subject } = words.emails[id as keyof SampleEmails]
    const type = transactional.has(id) ? 'TRANSACTIONAL' : 'MARKETING'
    return { id, name, hint, type, isTriggered: triggered.has(id), subject, document }
  })
  return { ...words, samples }
}

const loads: Record<Language, () => Promise<SampleWords>> = {
  en: () => import('../texts/en/samples'),
  de: () => import('../texts/de/samples'),
  fr: () => import('../texts/fr/samples'),
}

/** In the current language. */
export const samplesQuery = (language: Language) =>
  queryOptions({
    queryKey: ['samples', language],
    queryFn: async () => withSamples(await loads[language]()).samples,
    staleTime: Number.POSITIVE_INFINITY,
  })

/** In every language. */
export async function allSamples(): Promise<SampleTexts[]> {
  return await Promise.all(Object.values(loads).map(async load => withSamples(await load())))
}
