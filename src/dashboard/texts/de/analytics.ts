// Zahlen über einen Zeitraum.
import type { Texts } from '..'

export const analytics: Texts['analytics'] = {
  title: 'Auswertung',
  about:
    'Nachrichten nach dem Tag, an dem sie entstanden, neben ebenso vielen Tagen davor. Tage sind solche in UTC.',
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
    opened: 'Am meisten geöffnet',
    clicked: 'Am meisten geklickt',
    sent: 'Am meisten versendet',
    delivered: 'Am meisten zugestellt',
    bounced: 'Am meisten unzustellbar',
    unsubscribed: 'Am meisten abgemeldet',
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
