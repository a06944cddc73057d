// Webhook-Endpunkte: wer von welchen Ereignissen erfährt und was geantwortet wurde.
import type { Texts } from '..'
import { count } from './numbers'

export const webhooks: Texts['webhooks'] = {
  title: 'Webhooks',
  hint: 'Ihre Server, die von Ereignissen erfahren, sobald sie geschehen.',
  add: 'Endpunkt hinzufügen',
  addHint: 'Er bekommt für jedes gewählte Ereignis einen POST, signiert mit einem eigenen Geheimnis.',
  empty: 'Noch kein Endpunkt',
  emptyHint:
    'Tragen Sie die Adresse eines Servers ein, der wissen soll, was zugestellt wurde, was unzustellbar war oder wer sich abgemeldet hat.',
  urlHint: 'Von dieser Instanz aus erreichbar und nicht in einem privaten Netz.',
  eventTypes: 'Ereignisse',
  events: number => count(number, { one: '# Ereignis', other: '# Ereignisse' }),
  meanings: {
    'email.sent': 'Sie ist zum Server des Empfängers unterwegs',
    'email.delivery': 'Dieser Server hat sie angenommen',
    'email.bounce': 'Sie kam zurück',
    'email.failed': 'Sie wurde nicht zugestellt, und nicht wegen ihrer Adresse',
    'email.open': 'Ein Mensch hat sie geöffnet',
    'email.click': 'Ein Mensch ist einem Link gefolgt',
    'email.complaint': 'Sie wurde als Spam gemeldet',
    'contact.subscribed': 'Jemand hat sich angemeldet',
    'contact.unsubscribed': 'Jemand hat sich abgemeldet',
    'campaign.paused': 'Eine Kampagne wurde angehalten, ganz oder für einen Postfachanbieter',
  },
  anotherEvent: 'Weiteres Ereignis',
  addEvent: 'Ereignis hinzufügen',
  states: { on: 'An', off: 'Aus', failing: 'Gestört', given: 'Abgeschaltet' },
  failing: since =>
    `Seit ${since} ist kein Aufruf gelungen. Nach einem Tag wird der Endpunkt abgeschaltet, und die Mitglieder bekommen eine E-Mail.`,
  givenUp:
    'Einen Tag lang gelang kein Aufruf, darum wurde er abgeschaltet. Bringen Sie den Server in Ordnung, schalten Sie ihn ein und stellen Sie erneut zu, was fehlschlug.',
  turnOn: 'Einschalten',
  turnOff: 'Ausschalten',
  turnedOn: 'Eingeschaltet: Neue Ereignisse werden gemeldet.',
  turnedOff: 'Ausgeschaltet: Es wird nichts mehr gemeldet.',
  tested: 'Ein Test ist unterwegs.',
  secretWords: {
    title: 'Das Geheimnis dieses Endpunkts',
    hint: 'Es wird nur dieses eine Mal gezeigt. Ihr Server prüft damit die Signatur jedes Aufrufs, wie es Standard Webhooks beschreibt.',
    kept: 'Ich habe es aufbewahrt',
  },
  rotation: {
    action: 'Geheimnis ersetzen',
    question: 'Geheimnis ersetzen?',
    consequence:
      '24 Stunden lang ist jeder Aufruf auch mit dem alten signiert. Ihr Server kann also wechseln, wann er will.',
  },
  removal: url => ({
    action: 'Endpunkt entfernen',
    question: `${url} entfernen?`,
    consequence: 'Er erfährt nichts mehr, und das Protokoll der Meldungen ist endgültig gelöscht.',
  }),
  removed: 'Der Endpunkt wurde entfernt.',
  deliveries: 'Webhook-Zustellungen',
  endpoint: 'Webhook-Endpunkt',
  deliveriesHint: 'Sie werden 30 Tage lang aufbewahrt.',
  noDeliveries: 'Noch wurde nichts gemeldet',
  noDeliveriesHint: 'Senden Sie einen Test, oder warten Sie auf das erste Ereignis.',
  event: 'Ereignis',
  tries: 'Versuche',
  deliveryStates: { PENDING: 'Unterwegs', DELIVERED: 'Zugestellt', FAILED: 'Fehlgeschlagen' },
  nextTry: at => `Nächster Versuch: ${at}`,
  attempt: number => `Versuch ${number}`,
  answered: status => `Antwort ${status}`,
  noAnswer: 'Keine Antwort',
  noTries: 'Noch gab es keinen Versuch.',
  sent: 'Was gesendet wurde',
  replay: 'Erneut zustellen',
  replayed: number =>
    number === 0
      ? 'Es gab nichts erneut zuzustellen.'
      : `${count(number, { one: '# Zustellung ist', other: '# Zustellungen sind' })} wieder unterwegs.`,
  replayFailed: 'Fehlgeschlagene erneut zustellen',
  replayHint:
    'Die ältesten 1.000 dieser Zeit, jede mit derselben ID und demselben Inhalt wie beim ersten Mal.',
  span: 'Aus den letzten',
  spans: { day: '24 Stunden', week: '7 Tagen', month: '30 Tagen' },
}
