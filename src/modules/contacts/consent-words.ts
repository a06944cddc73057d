// What the columns `subscribed` and `optedOutAt` say. An unknown word is neither "no" nor "yes": taking it for either would mean writing to
// people who said no, or losing those who said yes. Pure.
import { datePattern } from '../../lib/time'

const yes = [
  ...['true', '1', 'yes', 'subscribed'],
  // The languages of the hosted pages: yes, and what their spreadsheets write for true.
  ...['ja', 'wahr', 'oui', 'vrai', 'sí', 'si', 'verdadero', 'sì', 'vero', 'waar', 'sim', 'verdadeiro'],
  ...['tak', 'prawda', 'ano', 'pravda', 'sant', 'ie', 'gwir', 'да', 'истина', 'हाँ', 'हां', 'はい', '是'],
]
const no = [
  ...['false', '0', 'no', 'unsubscribed'],
  ...['nein', 'falsch', 'non', 'faux', 'falso', 'nee', 'onwaar', 'não', 'nao'],
  ...['nie', 'fałsz', 'ne', 'nepravda', 'nej', 'falskt', 'nage', 'ffug', 'не', 'лъжа', 'नहीं', 'いいえ', '否'],
]
const meanings: ReadonlyMap<string, boolean> = new Map([
  ...yes.map((word): [string, boolean] => [normalise(word), true]),
  ...no.map((word): [string, boolean] => [normalise(word), false]),
])

function normalise(text: string): string {
  return text.trim().normalize('NFC').toLowerCase()
}

export interface Consent {
  /** Undefined if the cells are empty: nothing is said. */
  subscribed: boolean | undefined
  /** When the person opted out. A plain no does not distinguish that from never having been asked. */
  optedOutAt?: Date
}

export function readConsent(text: string, optedOut = ''): Consent | { fault: string } {
  const word = normalise(text)
  const subscribed = meanings.get(word)
  if (subscribed === undefined && word !== '')
    return { fault: `subscribed: ${shown(text)} is neither yes nor no` }
  if (optedOut.trim() === '') return { subscribed }
  const optedOutAt = readMoment(optedOut.trim())
  if (!optedOutAt) return { fault: `optedOutAt: ${shown(optedOut)} is not a date like 2026-01-31T12:00:00Z` }
  if (subscribed) return { fault: 'subscribed is yes, and optedOutAt says no' }
  return { subscribed: false, optedOutAt }
}

/** What the heading of a column about a topic begins with; its name or id follows. */
const topicPrefix = 'topic:'

/** The topic that a column is about, or undefined for any other column. */
export function topicOfColumn(heading: string): string | undefined {
  return heading.startsWith(topicPrefix) ? heading.slice(topicPrefix.length).trim() : undefined
}

/** What a cell of such a column says, in the words of the column `subscribed`; undefined if it is empty. */
export function readTopicCell(heading: string, text: string): boolean | undefined | { fault: string } {
  const read = readConsent(text)
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
