// Le fil de ce qui se passe.
import type { Texts } from '..'

export const activity: Texts['activity'] = {
  title: 'Activité',
  all: 'Tout',
  about: 'E-mails, événements et exécutions de workflows, du plus récent au plus ancien.',
  anyType: 'Tous les types',
  about_: 'À propos de',
  message: 'Un e-mail',
  empty: 'Aucune activité pendant cette période',
  nothing: 'Aucune activité pendant cette période',
  nothingHint: 'Les e-mails, événements et workflows apparaissent ici au fur et à mesure.',
  types: {
    email: 'E-mails',
    'email.sent': 'Envoyé',
    'email.delivered': 'Délivré',
    'email.opened': 'Ouvert',
    'email.clicked': 'Cliqué',
    'email.bounced': 'Bounce',
    'email.complaint': 'Plainte pour spam',
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
