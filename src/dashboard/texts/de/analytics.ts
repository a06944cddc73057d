// Zahlen über einen Zeitraum.
import type { Texts } from '..'

export const analytics: Texts['analytics'] = {
  title: 'Auswertung',
  about:
    'Nachrichten nach dem Tag, an dem sie entstanden, im Vergleich mit ebenso vielen Tagen davor. Tage gelten in UTC.',
  span: 'Zeitraum',
  choose: 'Was die Linien zeigen',
  before: 'Die Tage davor',
  lines: {
    emails: 'Nachrichten',
    delivered: 'Zugestellt',
    opens: 'Geöffnet',
    clicks: 'Geklickt',
    bounces: 'Unzustellbar',
    complaints: 'Beschwerden',
    failed: 'Fehlgeschlagen',
  },
  campaigns: 'Kampagnen',
  rankedBy: 'Geordnet nach',
  by: {
    opened: 'Am häufigsten geöffnet',
    clicked: 'Am häufigsten geklickt',
    sent: 'Am häufigsten versendet',
    delivered: 'Am häufigsten zugestellt',
    bounced: 'Am häufigsten unzustellbar',
    unsubscribed: 'Am häufigsten abgemeldet',
  },
  templates: 'Vorlagen',
  events: 'Ereignisse',
  name: 'Name',
  sent: 'Versendet',
  opened: 'Geöffnet',
  clicked: 'Geklickt',
  change: 'Änderung',
  nothing: 'Nichts in dieser Zeit.',
}
