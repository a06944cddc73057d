// Der zweite Faktor des eigenen Kontos.
import type { Texts } from '..'
import { count } from './numbers'

export const secondFactor: Texts['secondFactor'] = {
  title: 'Zweiter Faktor',
  hint: 'Neben dem Passwort fragt die Anmeldung nach einem Code aus einer Authenticator-App.',
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
  codes: 'Ihre Wiederherstellungscodes',
  codesHint:
    'Für den Tag, an dem Sie die App verlieren. Jeder gilt einmal. Sie werden jetzt gezeigt und dann nie wieder.',
  kept: 'Ich habe sie aufbewahrt',
  renew: 'Neue Wiederherstellungscodes anlegen',
  renewHint: 'Die bisherigen gelten dann nicht mehr.',
  remove: 'Ausschalten',
  removeHint: 'Die Anmeldung braucht dann nur noch das Passwort.',
  removed: 'Der zweite Faktor ist aus.',
  rule: {
    title: 'Ein zweiter Faktor für alle',
    hint: 'Wer sich nur mit dem Passwort anmeldet, kommt nicht mehr in dieses Projekt, bis ein zweiter Faktor eingerichtet ist. Schlüssel gelten weiter, und wer sich über einen Anbieter anmeldet, wird nicht gefragt.',
    required: 'Verlangt',
    optional: 'Nicht verlangt',
    lacking: members =>
      members === 0
        ? 'Alle, die einen brauchen, haben einen.'
        : count(members, { one: '# Mitglied hat noch keinen.', other: '# Mitglieder haben noch keinen.' }),
    require: 'Verlangen',
    question: 'Von allen Mitgliedern einen zweiten Faktor verlangen?',
    consequence: members =>
      members === 0
        ? 'Jetzt wird niemand ausgesperrt. Wer später dazukommt, braucht einen.'
        : count(members, {
            one: '# Mitglied sieht und ändert das Projekt erst wieder, wenn es einen eingerichtet hat.',
            other:
              '# Mitglieder sehen und ändern das Projekt erst wieder, wenn sie einen eingerichtet haben.',
          }),
    drop: 'Nicht mehr verlangen',
    ownerOnly: 'Der Inhaber des Projekts kann dies ändern.',
    ownFirst: 'Richten Sie zuerst Ihren eigenen ein; dann können Sie ihn von anderen verlangen.',
    states: { ON: 'Zweiter Faktor', OFF: 'Nur Passwort', PROVIDER: 'Anmeldung über Anbieter' },
  },
  missing: {
    title: 'Dieses Projekt verlangt einen zweiten Faktor',
    hint: project =>
      `Der Inhaber von ${project} verlangt ihn von allen Mitgliedern, und Sie haben noch keinen. Es braucht eine Minute und eine Authenticator-App; danach geht es hier weiter.`,
  },
}
