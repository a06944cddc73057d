// Der zweite Faktor des eigenen Kontos.
import type { Texts } from '..'
import { count } from './numbers'

export const secondFactor: Texts['secondFactor'] = {
  title: 'Zweiter Faktor',
  hint: 'Neben dem Passwort fragt die Anmeldung nach einem Code aus einer Authenticator-App.',
  on: 'An',
  since: date => `seit ${date}`,
  left: codes =>
    count(codes, { one: '# Wiederherstellungscode übrig', other: '# Wiederherstellungscodes übrig' }),
  few: 'Bald neue anlegen',
  setUp: 'Zweiten Faktor einrichten',
  passwordHint: 'Zuerst Ihr Passwort, damit es niemand anderes tut.',
  goOn: 'Weiter',
  scanHint: 'Scannen Sie den Code mit Ihrer App und geben Sie ein, was sie anzeigt.',
  qr: 'Das Geheimnis als QR-Code',
  typeHint: 'Keine Kamera? Geben Sie dieses Geheimnis ein:',
  firstCode: 'Code aus der App',
  turnOn: 'Einschalten',
  codes: 'Ihre Wiederherstellungscodes',
  codesHint:
    'Für den Tag, an dem Sie die App verlieren. Jeder gilt einmal. Sie werden jetzt gezeigt und dann nie wieder.',
  kept: 'Ich habe sie aufbewahrt',
  renew: 'Neue Wiederherstellungscodes anlegen',
  renewHint: 'Die bisherigen gelten dann nicht mehr.',
  remove: 'Ausschalten',
  removeHint: 'Die Anmeldung braucht dann nur noch das Passwort.',
  removed: 'Der zweite Faktor ist aus.',
}
