// Zahlen über einen Zeitraum.
import type { Texts } from '..'

export const analytics: Texts['analytics'] = {
  title: 'Auswertung',
  about:
    'E-Mails nach dem Tag, an dem sie entstanden, verglichen mit dem Zeitraum davor. Tage gelten in UTC.',
  vs: before => `ggü. ${before}`,
  choose: 'Messwert',
  lines: {
    emails: 'E-Mails',
    delivered: 'Zugestellt',
    opens: 'Geöffnet',
    clicks: 'Geklickt',
    bounces: 'Bounces',
    complaints: 'Spam-Beschwerden',
    failed: 'Fehlgeschlagen',
  },
  rankedBy: 'Sortiert nach',
  by: {
    opened: 'Meiste Öffnungen',
    clicked: 'Meiste Klicks',
    sent: 'Meiste Sendungen',
    delivered: 'Meiste Zustellungen',
    bounced: 'Meiste Bounces',
    unsubscribed: 'Meiste Abmeldungen',
  },
  sent: 'Versendet',
  opened: 'Geöffnet',
  clicked: 'Geklickt',
  change: 'Änderung',
  nothing: 'Keine E-Mails in diesem Zeitraum.',
}
