// Was gerade geschieht.
import type { Texts } from '..'

export const activity: Texts['activity'] = {
  title: 'Aktivität',
  all: 'Alle',
  about: 'E-Mails, Ereignisse und Workflow-Läufe, die neuesten zuerst.',
  anyType: 'Alle Typen',
  about_: 'Betrifft',
  message: 'Eine E-Mail',
  empty: 'Keine Aktivität in diesem Zeitraum',
  nothing: 'Keine Aktivität in diesem Zeitraum',
  nothingHint: 'E-Mails, Ereignisse und Workflow-Läufe erscheinen hier, sobald etwas geschieht.',
  types: {
    email: 'E-Mails',
    'email.sent': 'Versendet',
    'email.delivered': 'Zugestellt',
    'email.opened': 'Geöffnet',
    'email.clicked': 'Geklickt',
    'email.bounced': 'Bounce',
    'email.complaint': 'Spam-Beschwerde',
    'email.received': 'Empfangen',
    contact: 'Abonnements',
    'contact.subscribed': 'Angemeldet',
    'contact.unsubscribed': 'Abgemeldet',
    event: 'Ereignisse',
    'event.triggered': 'Ereignis',
    workflow: 'Workflows',
    'workflow.started': 'Workflow gestartet',
    'workflow.completed': 'Workflow abgeschlossen',
  },
}
