// Die erste Seite eines Projekts.
import type { Texts } from '..'
import { localeOf } from '../language'
import { once } from '../once'
import { count } from './numbers'

const change = once(
  () =>
    new Intl.NumberFormat(localeOf('de'), {
      signDisplay: 'always',
      minimumFractionDigits: 1,
      maximumFractionDigits: 1,
    }),
)

export const overview: Texts['overview'] = {
  span: 'Gezeigte Tage',
  days: days => count(days, { one: '# Tag', other: '# Tage' }),
  chart: 'Nachrichten nach Tagen',
  sent: 'Versendet',
  sentBefore: 'Versendet im Zeitraum davor',
  delivered: 'Zugestellt',
  opens: 'Geöffnet',
  clicks: 'Geklickt',
  bounces: 'Unzustellbar',
  complaints: 'Beschwerden',
  asBefore: 'wie zuvor',
  before: count => `zuvor ${count}`,
  points: points => `${change().format(points)} Prozentpunkte`,
  noMail: 'Keine E-Mails in dieser Zeit',
  noMailHint: 'Mit der ersten Nachricht erscheinen hier Zahlen.',
  health: 'Zustand',
  noDomain: 'Noch keine Absender-Domain',
  noDomainHint: 'Fügen Sie die Domain hinzu, von der Ihre E-Mails kommen.',
  domainsGood: 'Alle Absender-Domains sind bestätigt',
  domainWaits: domain => `${domain} ist nicht bestätigt`,
  domainWaitsHint:
    'Veröffentlichen Sie ihre DNS-Einträge; sie werden alle paar Minuten geprüft. Bis dahin geht von ihr nichts ab.',
  disabled: 'Der Versand ist gesperrt',
  disabledHint: (reason: string) => `${reason}. Nur der Betreiber dieser Instanz kann die Sperre aufheben.`,
  suspensions: {
    EMAIL_REPUTATION: 'Zu viele E-Mails waren unzustellbar oder wurden als Spam gemeldet',
    PAYMENT_FAILED: 'Eine Zahlung ist fehlgeschlagen',
    PHISHING_DETECTED: 'E-Mails dieses Projekts sehen nach Phishing aus',
    MANUAL: 'Der Betreiber hat dieses Projekt gesperrt',
  },
  reputationGood: 'Wenige Rückläufer und Beschwerden',
  reputationHint:
    'Senden Sie nur an Menschen, die darum gebeten haben, und entfernen Sie unzustellbare Adressen.',
  paused: 'Der Versand ist auf dieser Instanz angehalten',
  pausedHint: 'Der Betreiber setzt ihn mit „waxwing resume“ fort.',
  queueFailed: 'Die Warteschlange antwortet nicht',
  queueGood: 'E-Mails gehen ohne Wartezeit ab',
  queueLate: waiting => `${waiting} Aufgaben warten, einige seit mehr als fünf Minuten`,
  queueLateHint:
    'Eine große Kampagne braucht ihre Zeit. Bewegt sich nichts, sehen Sie in das Protokoll des Programms.',
  rejections: 'Von Postfachanbietern abgelehnt',
  rejectionsHint:
    'E-Mails, die ein Anbieter wegen seiner Richtlinien, Ihres Rufs oder des Inhalts abgewiesen hat. Die Adressen bleiben angemeldet.',
  rejected: (emails: number) => count(emails, { one: '# E-Mail', other: '# E-Mails' }),
  upcoming: 'Demnächst',
  nothingUpcoming: 'Nichts ist geplant, und kein Workflow wartet.',
  start: 'Erste Schritte',
  hideStart: 'Erste Schritte ausblenden',
  done: 'Erledigt',
  steps: {
    domain: {
      title: 'Absender-Domain nachweisen',
      hint: 'Ein paar DNS-Einträge, damit man Ihren E-Mails vertraut und sie ankommen.',
      action: 'Domains',
    },
    mail: {
      title: 'Erste E-Mail senden',
      hint: 'An Sie selbst, mit einem Klick oder mit dem Code daneben.',
    },
    contact: {
      title: 'Kontakt hinzufügen',
      hint: 'Alle, an die Sie senden, werden zu Kontakten; eine vorhandene Liste lässt sich importieren.',
      action: 'Kontakte',
    },
    campaign: { title: 'Kampagne senden', hint: 'Eine E-Mail an alle Ihre Kontakte oder an einige.' },
  },
  sendTest: email => `An ${email} senden`,
  testSent: email => `Eine E-Mail an ${email} ist unterwegs.`,
  testSubject: 'Ihre erste E-Mail von Waxwing',
  testBody: '<p>Guten Tag!</p><p>Dies ist die erste E-Mail Ihres Projekts. Es funktioniert.</p>',
}
