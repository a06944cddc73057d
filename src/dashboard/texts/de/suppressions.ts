// Adressen, die nichts mehr bekommen.
import type { Texts } from '..'
import { addressesOf, formed } from './numbers'

export const suppressions: Texts['suppressions'] = {
  title: 'Sperrliste',
  about: 'Adressen, die von diesem Projekt keine E-Mails mehr bekommen, gleich welcher Art.',
  anyReason: 'Jeder Grund',
  reasons: {
    bounce: 'Bounce',
    complaint: 'Beschwerde',
    manual: 'Manuell',
    repeated: 'Wiederholt abgelehnt',
  },
  source: 'Anlass',
  lift: 'Aufheben',
  liftTitle: email => `Wieder an ${email} schreiben`,
  liftHint:
    'An diese Adresse gehen wieder E-Mails. Der Kontakt bleibt abgemeldet. Gibt es die Adresse weiterhin nicht, wird sie mit der nächsten unzustellbaren E-Mail wieder gesperrt.',
  lifted: email => `${email} steht nicht mehr auf der Liste`,
  empty: 'Keine Adresse ist gesperrt',
  emptyHint: 'Adressen mit Bounces oder Beschwerden werden automatisch hinzugefügt.',
  nothing: 'Keine Adresse passt',
  add: 'Adressen hinzufügen',
  addHint: 'Jede Adresse im Text oder in der Datei wird gefunden; der Rest wird übergangen.',
  file: 'Datei',
  note: 'Notiz',
  addNumber: number => (number === 0 ? 'Hinzufügen' : `${addressesOf(number)} hinzufügen`),
  added: (added, existing) =>
    existing === 0
      ? `${addressesOf(added)} hinzugefügt`
      : `${addressesOf(added)} hinzugefügt, ${formed(existing)} waren schon da`,
}
