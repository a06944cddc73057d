// Schlüssel neben dem Paar, und der Wechsel des Paars.
import type { Texts } from '..'

export const keys: Texts['keys'] = {
  title: 'Schlüssel für einen Teil der Arbeit',
  hint: 'Jeder mit einem Namen, für ein Programm: Er darf nur wenig und lässt sich einzeln widerrufen.',
  empty: 'Noch keine weiteren Schlüssel',
  emptyHint:
    'Legen Sie einen für jedes Programm an, das sendet oder liest: So können Sie ihn widerrufen, ohne die anderen anzutasten.',
  make: 'Schlüssel anlegen',
  makeHint: 'Er wird einmal gezeigt, wenn er angelegt ist.',
  nameHint: 'Das Programm, das ihn benutzt, etwa „Shop“.',
  scopes: 'Was er darf',
  scopeNames: { send: 'Senden', track: 'Melden', read: 'Lesen', write: 'Schreiben' },
  scopeHints: {
    send: 'E-Mails über die API und per SMTP',
    track: 'Ereignisse melden wie der öffentliche Schlüssel',
    read: 'Kontakte, Nachrichten, Kampagnen und Zahlen sehen',
    write: 'Kontakte, Vorlagen, Kampagnen und Workflows ändern, ohne zu senden',
  },
  domains: 'Nur von diesen Domains (keine gewählt: alle des Projekts)',
  life: 'Gilt',
  lives: { never: 'bis er widerrufen wird', '30': '30 Tage', '90': '90 Tage', '365': 'ein Jahr' },
  secretWords: {
    title: 'Ihr neuer Schlüssel',
    hint: 'Er wird nur dieses eine Mal gezeigt: Kopieren Sie ihn jetzt in Ihr Programm. Gespeichert wird nur sein Hash.',
    kept: 'Ich habe ihn aufbewahrt',
  },
  used: when => `zuletzt benutzt ${when}`,
  unused: 'nie benutzt',
  until: date => `gilt bis ${date}`,
  noEnd: 'unbefristet',
  expired: 'Abgelaufen',
  from: domains => `Sendet von ${domains}`,
  former: { SECRET: 'Bisheriger geheimer Schlüssel', PUBLIC: 'Bisheriger öffentlicher Schlüssel' },
  revoking: name => ({
    action: 'Widerrufen',
    question: `${name} widerrufen?`,
    consequence:
      'Er gilt sofort nicht mehr: Ein Programm, das ihn noch benutzt, wird abgewiesen (401). Andere Schlüssel bleiben, wie sie sind.',
  }),
  revoked: name => `${name} wurde widerrufen.`,
  rotation: {
    action: 'Beide Schlüssel ersetzen',
    question: 'Beide Schlüssel ersetzen?',
    overlap: 'Die alten Schlüssel',
    overlaps: {
      '0': 'gelten sofort nicht mehr',
      '1': 'gelten noch eine Stunde',
      '24': 'gelten noch einen Tag',
      '168': 'gelten noch eine Woche',
      '720': 'gelten noch 30 Tage',
    },
    atOnce:
      'Der alte geheime und der alte öffentliche Schlüssel gelten sofort nicht mehr. Programme, Webseiten und Apps mit den alten werden abgewiesen (401), bis sie die neuen haben: So lange senden sie keine E-Mails und melden keine Ereignisse.',
    later:
      'Tragen Sie die neuen Schlüssel nacheinander in Ihre Programme ein: Die alten gelten so lange weiter. Sie stehen mit ihrer letzten Benutzung unten in der Liste und lassen sich dort vorzeitig widerrufen.',
    done: 'Die Schlüssel wurden ersetzt. Tragen Sie die neuen in Ihre Programme ein.',
  },
}
