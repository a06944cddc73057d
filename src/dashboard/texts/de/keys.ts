// Schlüssel neben dem Paar, und der Wechsel des Paars.
import type { Texts } from '..'

export const keys: Texts['keys'] = {
  title: 'API-Schlüssel mit eingeschränkten Rechten',
  hint: 'Ein Schlüssel je Anwendung, nur mit den nötigen Rechten. Jeder lässt sich einzeln widerrufen.',
  empty: 'Noch keine eingeschränkten Schlüssel',
  emptyHint:
    'Legen Sie für jede Anwendung einen eigenen Schlüssel an. So können Sie ihn widerrufen, ohne die anderen zu ändern.',
  make: 'Schlüssel anlegen',
  makeHint: 'Der Schlüssel wird nur einmal angezeigt.',
  nameHint: 'Die Anwendung, die ihn verwendet, zum Beispiel „Shop“.',
  scopes: 'Berechtigungen',
  scopeNames: { send: 'Senden', track: 'Ereignisse erfassen', read: 'Lesen', write: 'Schreiben' },
  scopeHints: {
    send: 'E-Mails über API und SMTP senden',
    track: 'Ereignisse erfassen, wie der öffentliche Schlüssel',
    read: 'Kontakte, E-Mails, Kampagnen und Statistiken lesen',
    write: 'Kontakte, Vorlagen, Kampagnen und Workflows ändern, aber nicht senden',
  },
  domains: 'Absenderdomains (keine ausgewählt: alle)',
  life: 'Gültigkeit',
  lives: { never: 'bis zum Widerruf', '30': '30 Tage', '90': '90 Tage', '365': '1 Jahr' },
  secretWords: {
    title: 'Ihr neuer Schlüssel',
    hint: 'Kopieren Sie den Schlüssel jetzt. Er wird nicht noch einmal angezeigt.',
    kept: 'Ich habe ihn gespeichert',
  },
  used: when => `zuletzt verwendet ${when}`,
  unused: 'nie verwendet',
  until: date => `gültig bis ${date}`,
  noEnd: 'unbefristet',
  expired: 'Abgelaufen',
  from: domains => `Sendet von ${domains}`,
  former: { SECRET: 'Bisheriger geheimer Schlüssel', PUBLIC: 'Bisheriger öffentlicher Schlüssel' },
  revoking: name => ({
    action: 'Widerrufen',
    question: `${name} widerrufen?`,
    consequence:
      'Der Schlüssel wird sofort ungültig. Anwendungen, die ihn noch verwenden, erhalten den Fehler 401. Andere Schlüssel gelten weiter.',
  }),
  revoked: name => `${name} widerrufen`,
  rotation: {
    action: 'Beide Schlüssel ersetzen',
    question: 'Geheimen und öffentlichen Schlüssel ersetzen?',
    overlap: 'Alte Schlüssel',
    overlaps: {
      '0': 'sofort ungültig',
      '1': 'noch 1 Stunde gültig',
      '24': 'noch 24 Stunden gültig',
      '168': 'noch 7 Tage gültig',
      '720': 'noch 30 Tage gültig',
    },
    atOnce:
      'Der alte geheime und der alte öffentliche Schlüssel werden sofort ungültig. Anwendungen und Webseiten mit den alten Schlüsseln erhalten den Fehler 401, bis Sie dort die neuen eintragen. So lange senden sie keine E-Mails und erfassen keine Ereignisse.',
    later:
      'Tragen Sie die neuen Schlüssel in dieser Zeit in Ihren Anwendungen und Webseiten ein. Die alten Schlüssel stehen mit ihrer letzten Verwendung in der Liste unten und lassen sich dort vorzeitig widerrufen.',
    done: 'Schlüssel ersetzt. Tragen Sie die neuen in Ihren Anwendungen ein.',
  },
}
