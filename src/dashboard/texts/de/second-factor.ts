// Der zweite Faktor des eigenen Kontos.
import type { Texts } from '..'
import { count } from './numbers'

export const secondFactor: Texts['secondFactor'] = {
  title: 'Zwei-Faktor-Authentifizierung',
  hint: 'Nach dem Passwort geben Sie einen Code aus einer Authenticator-App ein.',
  since: date => `seit ${date}`,
  left: codes =>
    count(codes, { one: '# Wiederherstellungscode übrig', other: '# Wiederherstellungscodes übrig' }),
  few: 'Bald neue Codes anlegen',
  setUp: 'Zwei-Faktor-Authentifizierung einrichten',
  passwordHint: 'Geben Sie zur Sicherheit Ihr Passwort ein.',
  goOn: 'Weiter',
  scanHint: 'Scannen Sie den QR-Code mit Ihrer Authenticator-App und geben Sie den angezeigten Code ein.',
  qr: 'QR-Code für die Authenticator-App',
  typeHint: 'Scannen nicht möglich? Geben Sie diesen Einrichtungsschlüssel ein:',
  firstCode: 'Code aus der App',
  codes: 'Ihre Wiederherstellungscodes',
  codesHint:
    'Damit können Sie sich einloggen, wenn Sie Ihr Gerät verlieren. Jeder Code gilt einmal. Speichern Sie sie jetzt, sie werden nicht noch einmal angezeigt.',
  kept: 'Ich habe sie gespeichert',
  renew: 'Neue Wiederherstellungscodes anlegen',
  renewHint: 'Die bisherigen Codes werden ungültig.',
  remove: 'Zwei-Faktor-Authentifizierung ausschalten',
  removeHint: 'Zum Einloggen genügt dann das Passwort.',
  removed: 'Zwei-Faktor-Authentifizierung ausgeschaltet',
  rule: {
    title: 'Zwei-Faktor-Authentifizierung für Mitglieder',
    hint: 'Falls verpflichtend, verlieren Mitglieder mit Passwort-Login den Zugriff auf dieses Projekt, bis sie sie eingerichtet haben. API-Schlüssel gelten weiter, und der Login über einen Anbieter ist nicht betroffen.',
    required: 'Verpflichtend',
    optional: 'Freiwillig',
    lacking: members =>
      members === 0
        ? 'Alle betroffenen Mitglieder haben sie eingerichtet.'
        : count(members, {
            one: '# Mitglied hat sie noch nicht eingerichtet.',
            other: '# Mitglieder haben sie noch nicht eingerichtet.',
          }),
    require: 'Verpflichtend machen',
    question: 'Zwei-Faktor-Authentifizierung verpflichtend machen?',
    consequence: members =>
      members === 0
        ? 'Niemand verliert jetzt den Zugriff. Neue Mitglieder müssen sie einrichten.'
        : count(members, {
            one: '# Mitglied verliert den Zugriff auf das Projekt, bis es sie eingerichtet hat.',
            other: '# Mitglieder verlieren den Zugriff auf das Projekt, bis sie sie eingerichtet haben.',
          }),
    drop: 'Freiwillig machen',
    ownerOnly: 'Nur der Inhaber kann dies ändern.',
    ownFirst: 'Richten Sie sie zuerst für Ihr eigenes Konto ein.',
    states: { ON: 'Zwei-Faktor-Authentifizierung', OFF: 'Nur Passwort', PROVIDER: 'Login über Anbieter' },
  },
  missing: {
    title: 'Zwei-Faktor-Authentifizierung erforderlich',
    hint: project =>
      `${project} verlangt Zwei-Faktor-Authentifizierung. Richten Sie sie mit einer Authenticator-App ein, um wieder Zugriff zu erhalten.`,
  },
}
