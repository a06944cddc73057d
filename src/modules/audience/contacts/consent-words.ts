// What the columns `subscribed`, `optedOutAt` and `suppressed` say. An unknown word is neither "no" nor "yes": taking it for either would mean writing to
// people who said no, or losing those who said yes. Pure.
import { datePattern } from '../../../lib/time'
import { type SuppressedFor, stateOfWord } from './state-words'

const yes = [
  ...['true', '1', 'yes', 'subscribed'],
  // The languages of the hosted pages: yes, and what their spreadsheets write for true.
  ...['ja', 'wahr', 'oui', 'vrai', 'sí', 'si', 'verdadero', 'sì', 'vero', 'waar', 'sim', 'verdadeiro'],
  ...['tak', 'prawda', 'ano', 'pravda', 'sant', 'ie', 'gwir', 'да', 'истина', 'हाँ', 'हां', 'はい', '是'],
]
const no = [
  ...['false', '0', 'no'],
  ...['nein', 'falsch', 'non', 'faux', 'falso', 'nee', 'onwaar', 'não', 'nao'],
  ...['nie', 'fałsz', 'ne', 'nepravda', 'nej', 'falskt', 'nage', 'ffug', 'не', 'лъжа', 'नहीं', 'いいえ', '否'],
]
/** By the words in the spelling in which they are compared. */
export const yesNoMeanings: ReadonlyMap<string, boolean> = new Map([
  ...yes.map((word): [string, boolean] => [normalise(word), true]),
  ...no.map((word): [string, boolean] => [normalise(word), false]),
])

function normalise(text: string): string {
  return text.trim().normalize('NFC').toLowerCase()
}

/** What a word of those languages says; undefined for any other. */
export function yesOrNo(text: string): boolean | undefined {
  return yesNoMeanings.get(normalise(text))
}

export interface Consent {
  /** Undefined if the cells are empty: nothing is said. */
  subscribed: boolean | undefined
  /** When the person opted out. A plain no does not distinguish that from never having been asked. */
  optedOutAt?: Date | 'unknown'
  /** With a plain no: until when it holds, as our own export says it. */
  snoozedUntil?: Date
  /** Why the address gets no mail at all, and the word that says so. */
  suppressed?: { reason: SuppressedFor; word: string }
  /** Why something that the cells say is left out: a no counts even if the rest can't be read. */
  without?: string[]
}

/** The cells of a row in columns of each name: several may be called alike. */
export interface ConsentCells {
  subscribed?: readonly string[]
  optedOutAt?: readonly string[]
  suppressed?: readonly string[]
  snoozedUntil?: readonly string[]
}

/** What the cells of a row say together: of a yes and a no, the no counts. */
export function readConsent(cells: ConsentCells): Consent | { fault: string } {
  const states = [
    ...(cells.subscribed ?? []).map(readState),
    ...(cells.suppressed ?? []).map(readSuppressed),
    ...(cells.optedOutAt ?? []).map(readOptOut),
  ]
  const faults = states.flatMap(state => ('fault' in state ? [state.fault] : []))
  const consent = states.reduce<Consent>(strictest, { subscribed: undefined })
  const isPlainNo = consent.subscribed === false && !consent.optedOutAt
  const snoozedUntil = isPlainNo ? readMoment(cells.snoozedUntil?.[0]?.trim() ?? '') : undefined
  if (faults.length === 0) return { ...consent, ...(snoozedUntil ? { snoozedUntil } : {}) }
  return consent.subscribed === false ? { ...consent, without: faults } : { fault: faults[0]! }
}

/** The no of two states, and of two the one that says more. */
function strictest(first: Consent, second: Consent | { fault: string }): Consent {
  if ('fault' in second || second.subscribed === undefined) return first
  if (first.subscribed !== false) return second.subscribed && first.subscribed ? first : second
  if (second.subscribed) return first
  const suppressed = first.suppressed ?? second.suppressed
  const optedOutAt =
    [first.optedOutAt, second.optedOutAt].find(at => at instanceof Date) ??
    first.optedOutAt ??
    second.optedOutAt
  return { subscribed: false, ...(optedOutAt ? { optedOutAt } : {}), ...(suppressed ? { suppressed } : {}) }
}

function readState(text: string): Consent | { fault: string } {
  const word = normalise(text)
  const subscribed = yesNoMeanings.get(word)
  if (subscribed !== undefined || word === '') return { subscribed }
  const state = stateOfWord(text)
  if (!state) return { fault: `subscribed: ${shown(text)} is neither yes nor no` }
  return {
    subscribed: state.subscribed,
    ...(state.isOptOut ? { optedOutAt: 'unknown' } : {}),
    ...(state.suppressed ? { suppressed: { reason: state.suppressed, word: text.trim() } } : {}),
  }
}

/** Yes, or why; a no says nothing about the subscription. */
function readSuppressed(text: string): Consent | { fault: string } {
  const meaning = yesNoMeanings.get(normalise(text))
  if (meaning === false || normalise(text) === '') return { subscribed: undefined }
  const reason = meaning ? 'manual' : stateOfWord(text)?.suppressed
  if (!reason) return { fault: `suppressed: ${shown(text)} is neither yes nor no, nor a reason like bounced` }
  return {
    subscribed: false,
    optedOutAt: 'unknown',
    suppressed: { reason, word: meaning ? 'suppressed' : text.trim() },
  }
}

/** When, or yes where the time is not known; a no says nothing about the subscription. */
function readOptOut(text: string): Consent | { fault: string } {
  const meaning = yesNoMeanings.get(normalise(text))
  if (meaning === false || normalise(text) === '') return { subscribed: undefined }
  const optedOutAt = meaning ? 'unknown' : readMoment(text.trim())
  return optedOutAt
    ? { subscribed: false, optedOutAt }
    : { fault: `optedOutAt: ${shown(text)} is not a date like 2026-01-31T12:00:00Z` }
}

/** What the heading of a column about a topic begins with; its name or id follows. */
export const topicPrefix = 'topic:'

/** The topic that a column is about, or undefined for any other column. */
export function topicOfColumn(heading: string): string | undefined {
  return heading.startsWith(topicPrefix) ? heading.slice(topicPrefix.length).trim() : undefined
}

/** What a cell of such a column says, in the words of the column `subscribed`; undefined if it is empty. */
export function readTopicCell(heading: string, text: string): boolean | undefined | { fault: string } {
  const read = readState(text)
  return 'fault' in read ? { fault: `${heading}: ${read.fault}` } : read.subscribed
}

function shown(text: string): string {
  return JSON.stringify(text.slice(0, 40).toWellFormed())
}

const dateExpression = new RegExp(datePattern)

/** Of our own era: nobody opted out of e-mail before. */
function readMoment(text: string): Date | undefined {
  const moment = dateExpression.test(text) ? new Date(text) : undefined
  return moment && moment.getTime() > 0 ? moment : undefined
}
