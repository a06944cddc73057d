// Anmelden und registrieren, und wohin die Links aus E-Mails führen.
import type { Texts } from '..'

export const account: Texts['account'] = {
  passwordHint: 'Mindestens 8 Zeichen.',
  signIn: 'Einloggen',
  signInTitle: 'Bei Waxwing einloggen',
  signInWith: provider => `Weiter mit ${provider}`,
  codeTitle: 'Code eingeben',
  code: 'Sicherheitscode',
  codeHint: 'Aus Ihrer Authenticator-App, oder einer Ihrer Wiederherstellungscodes.',
  startAgain: 'Von vorn beginnen',
  forgotten: 'Passwort vergessen?',
  noAccount: 'Noch kein Konto?',
  haveAccount: 'Bereits ein Konto?',
  signUp: 'Registrieren',
  signUpTitle: 'Konto anlegen',
  makeAccount: 'Konto anlegen',
  firstTitle: 'Willkommen bei Waxwing',
  firstHint: 'Legen Sie das erste Konto an. Es wird zum Betreiber der Instanz.',
  setupToken: 'Einrichtungscode',
  setupTokenHint: 'Wird beim Start des Servers ausgegeben, solange es noch kein Konto gibt.',
  closed:
    'Auf dieser Instanz ist die Registrierung geschlossen. Bitten Sie ein Mitglied eines Projekts um eine Einladung.',
  forgottenTitle: 'Passwort zurücksetzen',
  forgottenHint: 'Sie erhalten per E-Mail einen Link, um ein neues Passwort festzulegen.',
  sendLink: 'Link senden',
  linkSent: 'Prüfen Sie Ihr Postfach',
  linkSentHint: email => `Falls ${email} zu einem Konto mit Passwort gehört, erhalten Sie dort einen Link.`,
  backToSignIn: 'Zurück zum Login',
  projectTitle: 'Benennen Sie Ihr Projekt',
  projectHint:
    'Ein Projekt hat eigene Kontakte, Absender und Schlüssel. Die meisten Teams legen für jedes Produkt oder jede Marke eines an.',
  createProject: 'Projekt anlegen',
}
