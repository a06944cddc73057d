// Les événements : leurs noms, et un seul au fil du temps.
import type { Texts } from '..'
import { count, formed } from './numbers'

export const events: Texts['events'] = {
  title: 'Événements',
  about:
    'Événements envoyés par vos applications, et événements que Waxwing enregistre pour les e-mails et les segments.',
  empty: 'Pas encore d’événements',
  emptyHint: 'Envoyez des événements à POST /v1/track. Waxwing en enregistre aussi pour chaque e-mail.',
  nothing: 'Aucun événement trouvé',
  count: 'Nombre',
  usage: 'Utilisation',
  newest: 'Événements les plus récents',
  none: 'Aucun événement de ce nom',
  chart: 'Événements par jour',
  inSpan: days => `${formed(days)} derniers jours`,
  deleteHint: number =>
    `Supprime définitivement ${count(number, { one: '# événement', other: '# événements' })} de ce nom, y compris de l’historique des contacts.`,
}
