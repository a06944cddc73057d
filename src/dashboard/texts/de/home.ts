// Die erste Seite eines Projekts.
import type { Texts } from '..'
import { contactsOf, count } from './numbers'

export const home: Texts['home'] = {
  attention: 'Zu erledigen',
  nothingToDo: 'Nichts zu erledigen',
  showMore: number => `${number} weitere anzeigen`,
  viewEmails: 'E-Mails ansehen',
  viewInstance: 'Instanz ansehen',
  viewCampaign: 'Kampagne ansehen',
  viewDeliveries: 'Zustellungen ansehen',
  showRecords: 'Einträge anzeigen',
  domainWaits: domain => `${domain} ist nicht bestätigt`,
  domainWaitsHint: 'Von dieser Domain können Sie erst senden, wenn ihre DNS-Einträge gefunden wurden.',
  disabled: 'Der Versand ist gesperrt',
  disabledHint: reason => `${reason}. Nur der Betreiber dieser Instanz kann die Sperre aufheben.`,
  suspensions: {
    EMAIL_REPUTATION: 'Zu viele Bounces oder Spam-Beschwerden',
    PAYMENT_FAILED: 'Eine Zahlung ist fehlgeschlagen',
    PHISHING_DETECTED: 'E-Mails dieses Projekts sehen nach Phishing aus',
    MANUAL: 'Der Betreiber hat dieses Projekt gesperrt',
  },
  reputationHint:
    'Senden Sie nur an Personen, die Ihre E-Mails angefordert haben, und entfernen Sie Adressen mit Bounces.',
  paused: 'Der Versand dieser Instanz ist angehalten',
  pausedHint: 'Der Betreiber setzt ihn mit „waxwing resume“ fort.',
  queueFailed: 'Die Warteschlange antwortet nicht',
  queueLate: waiting => `${waiting} Aufgaben warten, manche seit mehr als 5 Minuten`,
  queueLateHint:
    'Große Kampagnen brauchen Zeit. Wird nichts versendet, sehen Sie im Protokoll der Instanz nach.',
  campaignPaused: name => `„${name}“ ist angehalten`,
  campaignPausedHint: at => `Angehalten am ${at}. Die übrigen Empfänger warten.`,
  providerPaused: (provider, name, waiting) =>
    `${provider} lehnt „${name}“ ab, ${count(waiting, { one: '# E-Mail wartet', other: '# E-Mails warten' })}`,
  endpointFailing: url => `Der Webhook-Endpunkt ${url} antwortet nicht`,
  endpointFailingHint: since =>
    `Seit ${since} schlägt jede Zustellung fehl. Nach 24 Stunden wird der Endpunkt ausgeschaltet.`,
  endpointOff: url => `Der Webhook-Endpunkt ${url} wurde ausgeschaltet`,
  endpointOffHint:
    '24 Stunden lang ist jede Zustellung fehlgeschlagen. Beheben Sie den Fehler auf Ihrem Server und schalten Sie den Endpunkt wieder ein.',
  checkFailed: about => `Prüfung fehlgeschlagen: ${about}`,
  lastCampaign: 'Letzte Kampagne',
  noCampaign: 'Hier erscheinen Ihre letzte Kampagne und ihre Ergebnisse.',
  sentTo: (at, recipients) =>
    `Versendet am ${at} an ${count(recipients, { one: '# Empfänger', other: '# Empfänger' })}`,
  viewResults: 'Ergebnisse ansehen',
  sending: name => `${name} wird versendet`,
  rates: {
    delivered: 'Zugestellt',
    opened: 'Geöffnet',
    clicked: 'Geklickt',
    bounced: 'Bounces',
    unsubscribed: 'Abgemeldet',
  },
  asUsual: 'Wie üblich',
  vsUsual: points => `${points > 0 ? '+' : '−'}${Math.abs(points).toFixed(1).replace('.', ',')} ggü. üblich`,
  contacts: contactsOf,
  email: 'E-Mail',
  notOpened: number =>
    `${count(number, { one: '# Kontakt hat', other: '# Kontakte haben' })} diese Kampagne nicht geöffnet.`,
  showContacts: 'Kontakte anzeigen',
  opensChart: opens => `Öffnungen je Stunde in den ersten 48 Stunden: ${opens}`,
  opensPerHour: 'Öffnungen je Stunde',
  firstHours: hours => `Die ersten ${hours} Stunden`,
  deliverability: 'Zustellbarkeit',
  deliverabilityHint: 'E-Mails, die Postfachanbieter in den letzten 30 Tagen abgelehnt haben.',
  noRejections: 'Keine abgelehnten E-Mails',
  rejected: emails => `${count(emails, { one: '# E-Mail', other: '# E-Mails' })} abgelehnt`,
  upcoming: 'Geplant',
  nothingUpcoming: 'Hier erscheinen geplante Kampagnen und wartende Workflow-Läufe.',
  start: 'Loslegen',
  hideStart: 'Ausblenden',
  done: 'Erledigt',
  steps: {
    domain: {
      title: 'Eine Absenderdomain bestätigen',
      hint: 'Mit einigen DNS-Einträgen vertrauen Postfachanbieter Ihren E-Mails.',
      action: 'Domain hinzufügen',
    },
    mail: {
      title: 'Eine Test-E-Mail senden',
      hint: 'An sich selbst, oder aus Ihrem Code: siehe Einstellungen, Erste Schritte.',
    },
    contact: {
      title: 'Kontakte hinzufügen',
      hint: 'Einzeln, aus einer Datei oder mit einem Anmeldeformular.',
      action: 'Kontakt hinzufügen',
    },
    campaign: { title: 'Eine Kampagne senden', hint: 'Eine E-Mail an viele Kontakte.' },
  },
  sendTest: email => `An ${email} senden`,
  testSent: email => `Test-E-Mail an ${email} gesendet`,
  showOutbox: 'Postausgang anzeigen',
  testSubject: 'Ihre erste E-Mail von Waxwing',
  testBody: '<p>Guten Tag,</p><p>dies ist die erste E-Mail Ihres Projekts. Es funktioniert.</p>',
}
