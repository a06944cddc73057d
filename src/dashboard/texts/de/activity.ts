// Was gerade geschieht.
import type { Texts } from '..'

export const activity: Texts['activity'] = {
  title: 'Aktivität',
  all: 'Alles',
  about: 'Was im Projekt geschieht, das Neueste zuerst. Neues erscheint von selbst.',
  anyType: 'Alles',
  about_: 'Worüber',
  message: 'Eine Nachricht',
  empty: 'Keine Aktivität in diesem Zeitraum',
  nothing: 'Keine Aktivität in diesem Zeitraum',
  nothingHint: 'E-Mails, Ereignisse und Workflow-Läufe erscheinen hier, sobald etwas geschieht.',
  types: {
    email: 'Alles über Nachrichten',
    'email.sent': 'Versendet',
    'email.delivered': 'Zugestellt',
    'email.opened': 'Geöffnet',
    'email.clicked': 'Geklickt',
    'email.bounced': 'Unzustellbar',
    'email.complaint': 'Beschwerde',
    'email.received': 'Empfangen',
    contact: 'Abonnements',
    'contact.subscribed': 'Angemeldet',
    'contact.unsubscribed': 'Abgemeldet',
    event: 'Ereignisse',
    'event.triggered': 'Ereignis',
    workflow: 'Workflows',
    'workflow.started': 'Workflow begonnen',
    'workflow.completed': 'Workflow beendet',
  },
}
