// Ereignisse: Namen, und eines im Lauf der Zeit.
import type { Texts } from '..'
import { count, formed } from './numbers'

export const events: Texts['events'] = {
  title: 'Ereignisse',
  about: 'Was Ihre Anwendungen über Kontakte melden und was Waxwing über Nachrichten und Segmente festhält.',
  empty: 'Noch keine Ereignisse',
  emptyHint: 'Sie kommen durch POST /v1/track, und mit den ersten Nachrichten von selbst.',
  nothing: 'Kein Ereignis heißt so',
  count: 'Aufgezeichnet',
  usage: 'Verwendung',
  newest: 'Neueste Ereignisse',
  none: 'Es gibt keine mit diesem Namen',
  chart: 'Ereignisse nach Tagen',
  inSpan: days => `Letzte ${formed(days)} Tage`,
  deleteHint: number =>
    `${count(number, { one: 'Das eine Ereignis dieses Namens wird', other: 'Alle # Ereignisse dieses Namens werden' })} endgültig gelöscht, auch aus dem Verlauf der Kontakte.`,
}
