// Zahlen über einen Zeitraum.
import type { Texts } from '..'

export const analytics: Texts['analytics'] = {
  title: 'Auswertung',
  about:
    'E-Mails nach dem Tag, an dem sie entstanden, verglichen mit dem Zeitraum davor. Tage gelten in UTC.',
  vs: before => `ggü. ${before}`,
  choose: 'Was die Linien zeigen',
  lines: {
    emails: 'E-Mails',
    delivered: 'Zugestellt',
    opens: 'Geöffnet',
    clicks: 'Geklickt',
    bounces: 'Unzustellbar',
    complaints: 'Beschwerden',
    failed: 'Fehlgeschlagen',
  },
  rankedBy: 'Geordnet nach',
  by: {
    opened: 'Am häufigsten geöffnet',
    clicked: 'Am häufigsten geklickt',
    sent: 'Am häufigsten versendet',
    delivered: 'Am häufigsten zugestellt',
    bounced: 'Am häufigsten unzustellbar',
    unsubscribed: 'Am häufigsten abgemeldet',
  },
  sent: 'Versendet',
  opened: 'Geöffnet',
  clicked: 'Geklickt',
  change: 'Änderung',
  nothing: 'Nichts in dieser Zeit.',
}
