// Webhook-Endpunkte: wer von welchen Ereignissen erfährt und was geantwortet wurde.
import type { Texts } from '..'
import { count } from './numbers'

export const webhooks: Texts['webhooks'] = {
  title: 'Webhooks',
  hint: 'Ereignisse sofort an Ihre Server senden.',
  add: 'Endpunkt hinzufügen',
  addHint: 'Der Endpunkt erhält für jedes Ereignis der ausgewählten Typen eine signierte POST-Anfrage.',
  empty: 'Noch keine Endpunkte',
  emptyHint: 'Fügen Sie die URL Ihres Servers hinzu, um Zustellungen, Bounces und Abmeldungen zu erfahren.',
  urlHint: 'Muss von dieser Instanz aus erreichbar sein und darf nicht in einem privaten Netz liegen.',
  eventTypes: 'Ereignisse',
  events: number => count(number, { one: '# Ereignis', other: '# Ereignisse' }),
  meanings: {
    'email.sent': 'Eine E-Mail wurde an den Server des Empfängers versendet',
    'email.delivery': 'Der Server hat eine E-Mail angenommen',
    'email.bounce': 'Eine E-Mail war unzustellbar (Bounce)',
    'email.failed': 'Eine E-Mail ist aus einem anderen Grund als der Adresse fehlgeschlagen',
    'email.open': 'Eine Person hat eine E-Mail geöffnet',
    'email.click': 'Eine Person hat auf einen Link geklickt',
    'email.complaint': 'Eine E-Mail wurde als Spam gemeldet',
    'contact.subscribed': 'Ein Kontakt hat sich angemeldet',
    'contact.unsubscribed': 'Ein Kontakt hat sich abgemeldet',
    'campaign.paused': 'Eine Kampagne wurde angehalten, ganz oder für einen Postfachanbieter',
  },
  anotherEvent: 'Weiteres Ereignis',
  addEvent: 'Ereignis hinzufügen',
  states: { on: 'Aktiv', off: 'Inaktiv', failing: 'Gestört', given: 'Abgeschaltet' },
  failing: since =>
    `Seit ${since} schlägt jede Zustellung fehl. Nach 24 Stunden wird der Endpunkt abgeschaltet, und alle Mitglieder erhalten eine E-Mail.`,
  givenUp:
    'Dieser Endpunkt wurde abgeschaltet, weil 24 Stunden lang jede Zustellung fehlschlug. Beheben Sie den Fehler auf Ihrem Server, schalten Sie den Endpunkt ein und wiederholen Sie die fehlgeschlagenen Zustellungen.',
  turnOn: 'Einschalten',
  turnOff: 'Ausschalten',
  turnedOn: 'Endpunkt eingeschaltet',
  turnedOff: 'Endpunkt ausgeschaltet',
  tested: 'Test gesendet',
  secretWords: {
    title: 'Ihr Signaturschlüssel',
    hint: 'Kopieren Sie den Schlüssel jetzt. Er wird nicht noch einmal angezeigt. Ihr Server prüft damit die Signatur jeder Zustellung, wie von Standard Webhooks beschrieben.',
    kept: 'Ich habe ihn gespeichert',
  },
  rotation: {
    action: 'Signaturschlüssel ersetzen',
    question: 'Signaturschlüssel ersetzen?',
    consequence:
      'Zustellungen werden 24 Stunden lang mit dem alten und dem neuen Schlüssel signiert. So lange haben Sie Zeit, Ihren Server umzustellen.',
  },
  removal: url => ({
    action: 'Endpunkt entfernen',
    question: `${url} entfernen?`,
    consequence:
      'Der Endpunkt erhält keine Ereignisse mehr, und sein Zustellprotokoll wird endgültig gelöscht.',
  }),
  removed: 'Endpunkt entfernt',
  deliveries: 'Webhook-Zustellungen',
  endpoint: 'Webhook-Endpunkt',
  deliveriesHint: '30 Tage lang gespeichert.',
  noDeliveries: 'Noch keine Zustellungen',
  noDeliveriesHint: 'Senden Sie einen Test, oder warten Sie auf das erste Ereignis.',
  event: 'Ereignis',
  tries: 'Versuche',
  deliveryStates: { PENDING: 'In Arbeit', DELIVERED: 'Zugestellt', FAILED: 'Fehlgeschlagen' },
  nextTry: at => `Nächster Versuch: ${at}`,
  attempt: number => `Versuch ${number}`,
  answered: status => `HTTP ${status}`,
  noAnswer: 'Keine Antwort',
  noTries: 'Noch kein Versuch.',
  sent: 'Inhalt der Anfrage',
  replay: 'Wiederholen',
  replayed: number =>
    number === 0
      ? 'Keine Zustellungen zu wiederholen'
      : `${count(number, { one: '# Zustellung', other: '# Zustellungen' })} wiederholt`,
  replayFailed: 'Fehlgeschlagene Zustellungen wiederholen',
  replayHint:
    'Sendet bis zu 1.000 fehlgeschlagene Zustellungen erneut, die ältesten zuerst, mit derselben ID und demselben Inhalt.',
  span: 'Fehlgeschlagen in den letzten',
  spans: { day: '24 Stunden', week: '7 Tagen', month: '30 Tagen' },
}
