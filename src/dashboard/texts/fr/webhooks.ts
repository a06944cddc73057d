// Points d'accès : qui est averti de quels événements, et ce qui a été répondu.
import type { Texts } from '..'
import { count } from './numbers'

export const webhooks: Texts['webhooks'] = {
  title: 'Webhooks',
  hint: 'Vos serveurs, avertis des événements dès qu’ils ont lieu.',
  add: 'Ajouter un point d’accès',
  addHint: 'Il reçoit un POST pour chaque événement choisi, signé avec un secret qui lui est propre.',
  empty: 'Aucun point d’accès',
  emptyHint:
    'Ajoutez l’adresse d’un serveur qui veut savoir ce qui a été remis, ce qui a été rejeté ou qui s’est désabonné.',
  urlHint: 'Joignable depuis cette instance, et hors de tout réseau privé.',
  eventTypes: 'Événements',
  events: number => count(number, { one: '# événement', other: '# événements' }),
  meanings: {
    'email.sent': 'Il est parti vers le serveur du destinataire',
    'email.delivery': 'Ce serveur l’a accepté',
    'email.bounce': 'Il a été rejeté',
    'email.failed': 'Il n’a pas été remis, pour une autre raison que son adresse',
    'email.open': 'Une personne l’a ouvert',
    'email.click': 'Une personne a suivi un lien',
    'email.complaint': 'Il a été signalé comme indésirable',
    'contact.subscribed': 'Quelqu’un s’est abonné',
    'contact.unsubscribed': 'Quelqu’un s’est désabonné',
    'campaign.paused': 'Une campagne a été mise en pause, en entier ou pour un fournisseur de messagerie',
  },
  anotherEvent: 'Autre événement',
  addEvent: 'Ajouter l’événement',
  states: { on: 'Actif', off: 'Inactif', failing: 'En échec', given: 'Désactivé' },
  failing: since =>
    `Aucun appel n’a réussi depuis ${since}. Au bout d’un jour, il est désactivé et les membres reçoivent un e-mail.`,
  givenUp:
    'Aucun appel n’a réussi pendant un jour : il a été désactivé. Réparez le serveur, réactivez-le, puis renvoyez ce qui a échoué.',
  turnOn: 'Activer',
  turnOff: 'Désactiver',
  turnedOn: 'Actif : les nouveaux événements sont envoyés.',
  turnedOff: 'Inactif : plus rien n’est envoyé.',
  tested: 'Un test est en route.',
  secretWords: {
    title: 'Le secret de ce point d’accès',
    hint: 'Il n’est montré que cette fois. Votre serveur vérifie avec lui la signature de chaque appel, comme le décrit Standard Webhooks.',
    kept: 'Je l’ai conservé',
  },
  rotation: {
    action: 'Remplacer le secret',
    question: 'Remplacer le secret ?',
    consequence:
      'Pendant 24 heures, chaque appel est aussi signé avec l’ancien : votre serveur peut changer quand il veut.',
  },
  removal: url => ({
    action: 'Supprimer le point d’accès',
    question: `Supprimer ${url} ?`,
    consequence: 'Il n’est plus averti de rien, et le journal des envois est perdu définitivement.',
  }),
  removed: 'Le point d’accès a été supprimé.',
  deliveries: 'Envois de webhooks',
  endpoint: 'Point d’accès du webhook',
  deliveriesHint: 'Conservés 30 jours.',
  noDeliveries: 'Rien n’a encore été envoyé',
  noDeliveriesHint: 'Envoyez un test, ou attendez le premier événement.',
  event: 'Événement',
  tries: 'Essais',
  deliveryStates: { PENDING: 'En cours', DELIVERED: 'Remis', FAILED: 'Échoué' },
  nextTry: at => `Prochain essai : ${at}`,
  attempt: number => `Essai ${number}`,
  answered: status => `Réponse ${status}`,
  noAnswer: 'Pas de réponse',
  noTries: 'Aucun essai pour l’instant.',
  sent: 'Ce qui a été envoyé',
  replay: 'Renvoyer',
  replayed: number =>
    number === 0
      ? 'Il n’y avait rien à renvoyer.'
      : `${count(number, { one: '# envoi est reparti', other: '# envois sont repartis' })}.`,
  replayFailed: 'Renvoyer les échecs',
  replayHint: 'Les 1 000 plus anciens de cette période, avec l’identifiant et le contenu d’origine.',
  span: 'Des derniers',
  spans: { day: '24 heures', week: '7 jours', month: '30 jours' },
}
