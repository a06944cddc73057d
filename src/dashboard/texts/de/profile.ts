// Das eigene Konto.
import type { Texts } from '..'

export const profile: Texts['profile'] = {
  title: 'Ihr Konto',
  account: 'Konto',
  signInBy: 'Anmeldung',
  ways: { PASSWORD: 'Passwort', GITHUB_OAUTH: 'GitHub', GOOGLE_OAUTH: 'Google' },
  since: 'Seit',
  unproved: 'Adresse nicht bestätigt',
  unprovedHint: 'Folgen Sie dem Link in der E-Mail, die an sie ging.',
  sendLink: 'Link erneut senden',
  linkSent: 'Ein Link an Ihre Adresse ist unterwegs.',
  passwordHint: 'Ein neues beendet alle anderen Sitzungen.',
  currentPassword: 'Aktuelles Passwort',
  newPassword: 'Neues Passwort',
  changePassword: 'Passwort ändern',
  passwordChanged: 'Das Passwort wurde geändert, und alle anderen Sitzungen sind beendet.',
  looks: 'Darstellung',
  looksHint: 'Gilt in diesem Browser.',
  sessions: 'Sitzungen',
  sessionsHint: 'Ein verlorenes Handy oder ein fremder Browser? Beenden Sie alle.',
  signOutEverywhere: 'Überall abmelden',
  signOutQuestion: 'Überall abmelden?',
  signOutHint: 'Alle Sitzungen Ihres Kontos enden, auch diese. Danach melden Sie sich wie gewohnt wieder an.',
}
