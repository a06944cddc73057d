// Les événements : leurs noms, et un seul au fil du temps.
import type { Texts } from '..'
import { count, formed } from './numbers'

export const events: Texts['events'] = {
  title: 'Événements',
  about:
    'Ce que vos applications signalent au sujet des contacts, et ce que Waxwing enregistre au sujet des messages et des segments.',
  empty: 'Pas encore d’événements',
  emptyHint: 'Ils viennent par POST /v1/track, et d’eux-mêmes avec les premiers messages.',
  nothing: 'Aucun événement ne porte un tel nom',
  count: 'Enregistrés',
  usage: 'Usage',
  newest: 'Événements les plus récents',
  none: 'Il n’y en a aucun de ce nom',
  chart: 'Événements par jour',
  inSpan: days => `${formed(days)} derniers jours`,
  deleteHint: number =>
    `${count(number, { one: 'L’unique événement de ce nom disparaît', other: 'Les # événements de ce nom disparaissent' })} définitivement, y compris de l’historique des contacts.`,
}
