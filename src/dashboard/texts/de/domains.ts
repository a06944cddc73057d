// Absender-Domains und ihre DNS-Einträge.
import type { Texts } from '..'

const otherValue = 'Unter diesem Namen steht ein anderer Wert. Ersetzen Sie ihn.'

export const domains: Texts['domains'] = {
  title: 'Domains',
  hint: 'E-Mails gehen nur von Domains ab, die nachweislich Ihnen gehören.',
  add: 'Domain hinzufügen',
  name: 'Domain',
  nameHint: 'Was hinter dem @ Ihres Absenders steht. Eine Subdomain hält ihren Ruf vom Rest getrennt.',
  empty: 'Noch keine Domain',
  emptyHint:
    'Fügen Sie die Domain hinzu, von der Ihre E-Mails kommen, und veröffentlichen Sie einige DNS-Einträge für sie.',
  adminsOnly: 'Domains fügen Admins und Inhaber des Projekts hinzu und entfernen sie.',
  sandbox:
    'Ein Name zum Ausprobieren: Er gilt, solange E-Mails im Postausgang bleiben, und braucht keine Einträge.',
  sandboxNote: 'Zum Ausprobieren',
  recordsThere: (there, all) => `${there} von ${all} Einträgen gefunden`,
  states: {
    verified: 'Bestätigt',
    advised: 'Bestätigt',
    waiting: 'Wartet auf DNS',
    wrong: 'Falscher Eintrag',
  },
  advice: {
    verified: 'Alle Einträge sind da. Es bleibt nichts zu tun.',
    advised:
      'Sie können senden. Veröffentlichen Sie auch die empfohlenen Einträge, damit mehr Ihrer E-Mails im Posteingang ankommen.',
    waiting:
      'Veröffentlichen Sie die Einträge unten dort, wo Sie das DNS dieser Domain verwalten. Solange diese Seite offen ist, wird alle paar Sekunden nachgesehen; bis die Einträge sichtbar sind, dauert es Minuten, bei manchen Anbietern Stunden.',
    wrong:
      'Unter einem Namen steht etwas anderes, als dort stehen soll. Ersetzen Sie es durch den Eintrag unten.',
  },
  recordStates: { verified: 'Gefunden', pending: 'Noch nicht da', failed: 'Dort steht etwas anderes' },
  required: 'Erforderlich',
  requiredHint: 'Sobald diese gefunden sind, geht von dieser Domain E-Mail ab.',
  advised: 'Empfohlen',
  advisedHint: 'Große E-Mail-Anbieter erwarten sie von allen, die an viele senden.',
  record: { type: 'Typ', name: 'Name', value: 'Wert' },
  purposes: {
    dkim: {
      title: 'Signatur (DKIM)',
      hint: 'Daran sehen Empfänger, dass eine E-Mail von Ihnen stammt und unterwegs nicht verändert wurde.',
      failed: otherValue,
    },
    spf: {
      title: 'Server (SPF)',
      hint: 'Nennt die Server, die für Sie senden. Gibt es schon einen solchen Eintrag, ergänzen Sie darin, was fehlt.',
      failed: 'Es gibt mehrere, und dann trauen Empfänger keinem. Fassen Sie sie zu einem Eintrag zusammen.',
    },
    dmarc: {
      title: 'Richtlinie (DMARC)',
      hint: 'Sagt, was mit E-Mails geschieht, die nur vorgeben, von Ihnen zu sein. Beginnen Sie mit p=none und werden Sie später strenger.',
      failed: 'Es gibt mehrere, und dann folgen Empfänger keinem. Behalten Sie einen davon.',
    },
    'return-path': {
      title: 'Rückweg',
      hint: 'Wohin Berichte über unzustellbare E-Mails gehen.',
      failed: otherValue,
    },
    inbound: {
      title: 'Eingehende E-Mails',
      hint: 'Bringt E-Mails an diese Domain hierher.',
      failed: otherValue,
    },
  },
  zoneFile: 'Zonendatei',
  verifyNow: 'Jetzt prüfen',
  outcomes: {
    Success: 'Die Domain ist bestätigt.',
    Pending: 'Noch sind nicht alle erforderlichen Einträge da.',
    Failed: 'Wo ein erforderlicher Eintrag sein soll, steht etwas anderes.',
    TemporaryFailure: 'Kein Nameserver hat geantwortet. Es hat sich nichts geändert.',
  },
  remove: 'Entfernen',
  removeOne: name => `${name} entfernen`,
  removed: name => `${name} wurde entfernt.`,
  removeHint:
    'In diesem Projekt geht von ihr nichts mehr ab, bis sie neu hinzugefügt und bestätigt ist. Versendete E-Mails bleiben unberührt.',
}
