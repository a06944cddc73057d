// Ereignisse: Namen, und eines im Lauf der Zeit.
import type { Texts } from '..'
import { count, formed } from './numbers'

export const events: Texts['events'] = {
  title: 'Ereignisse',
  about: 'Ereignisse, die Ihre Anwendungen senden oder die Waxwing zu E-Mails und Segmenten erfasst.',
  empty: 'Noch keine Ereignisse',
  emptyHint: 'Senden Sie Ereignisse an POST /v1/track. Zu jeder E-Mail erfasst Waxwing sie automatisch.',
  nothing: 'Keine Ereignisse gefunden',
  count: 'Anzahl',
  usage: 'Verwendung',
  newest: 'Neueste Ereignisse',
  none: 'Keine Ereignisse mit diesem Namen',
  chart: 'Ereignisse nach Tagen',
  inSpan: days => `Letzte ${formed(days)} Tage`,
  deleteHint: number =>
    `Löscht ${count(number, { one: '# Ereignis', other: '# Ereignisse' })} mit diesem Namen endgültig, auch aus dem Verlauf der Kontakte.`,
}
