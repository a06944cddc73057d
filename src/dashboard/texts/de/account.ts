// Anmelden und registrieren, und wohin die Links aus E-Mails führen.
import type { Texts } from '..'

export const account: Texts['account'] = {
  passwordHint: 'Mindestens 8 Zeichen.',
  signIn: 'Anmelden',
  signInTitle: 'Bei Waxwing anmelden',
  signInWith: provider => `Weiter mit ${provider}`,
  codeTitle: 'Code eingeben',
  code: 'Sicherheitscode',
  codeHint: 'Aus Ihrer Authenticator-App oder einer Ihrer Wiederherstellungscodes.',
  startAgain: 'Von vorn beginnen',
  forgotten: 'Vergessen?',
  noAccount: 'Noch kein Konto?',
  haveAccount: 'Sie haben schon ein Konto?',
  signUp: 'Registrieren',
  signUpTitle: 'Konto anlegen',
  makeAccount: 'Konto anlegen',
  firstTitle: 'Willkommen bei Waxwing',
  firstHint: 'Legen Sie das erste Konto an. Ihm gehört alles, was Sie danach anlegen.',
  setupToken: 'Einrichtungscode',
  setupTokenHint: 'Das Programm hat ihn beim Start ausgegeben, weil es noch kein Konto gibt.',
  closed: 'Diese Instanz nimmt keine neuen Konten an. Bitten Sie jemanden mit Konto um eine Einladung.',
  forgottenTitle: 'Passwort vergessen',
  forgottenHint: 'Wir schicken Ihnen einen Link, um ein neues zu setzen.',
  sendLink: 'Link senden',
  linkSent: 'Sehen Sie in Ihrem Postfach nach',
  linkSentHint: email => `Falls ${email} zu einem Konto mit Passwort gehört, ist ein Link unterwegs.`,
  backToSignIn: 'Zurück zur Anmeldung',
  projectTitle: 'Benennen Sie Ihr Projekt',
  projectHint:
    'Ein Projekt hat eigene Kontakte, Absender und Schlüssel: meist eines je Produkt oder Unternehmen.',
  createProject: 'Projekt anlegen',
}
