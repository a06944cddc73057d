// Le fil de ce qui se passe.
import type { Texts } from '..'

export const activity: Texts['activity'] = {
  title: 'Activité',
  all: 'Tout',
  about:
    'Ce qui se passe dans le projet, du plus récent au plus ancien. Les nouveautés s’affichent d’elles-mêmes.',
  anyType: 'Tout',
  about_: 'À propos de',
  message: 'Un message',
  empty: 'Aucune activité pendant cette période',
  nothing: 'Aucune activité pendant cette période',
  nothingHint: 'Les e-mails, événements et workflows apparaissent ici au fur et à mesure.',
  types: {
    email: 'Tout sur les messages',
    'email.sent': 'Envoyé',
    'email.delivered': 'Remis',
    'email.opened': 'Ouvert',
    'email.clicked': 'Cliqué',
    'email.bounced': 'Rejeté',
    'email.complaint': 'Plainte',
    'email.received': 'Reçu',
    contact: 'Abonnements',
    'contact.subscribed': 'Abonné',
    'contact.unsubscribed': 'Désabonné',
    event: 'Événements',
    'event.triggered': 'Événement',
    workflow: 'Workflows',
    'workflow.started': 'Workflow commencé',
    'workflow.completed': 'Workflow terminé',
  },
}
