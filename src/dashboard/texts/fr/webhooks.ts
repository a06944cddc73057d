// Points d'accès : qui est averti de quels événements, et ce qui a été répondu.
import type { Texts } from '..'
import { count } from './numbers'

export const webhooks: Texts['webhooks'] = {
  title: 'Webhooks',
  hint: 'Envoyez les événements à vos serveurs dès qu’ils ont lieu.',
  add: 'Ajouter un webhook',
  addHint: 'Le webhook reçoit une requête POST signée pour chaque événement des types choisis.',
  empty: 'Aucun webhook',
  emptyHint: 'Ajoutez l’URL de votre serveur pour suivre les livraisons, les bounces et les désabonnements.',
  urlHint: 'L’URL doit être joignable depuis cette instance et hors d’un réseau privé.',
  eventTypes: 'Événements',
  events: number => count(number, { one: '# événement', other: '# événements' }),
  meanings: {
    'email.sent': 'Un e-mail a été envoyé au serveur du destinataire',
    'email.delivery': 'Le serveur a accepté un e-mail',
    'email.bounce': 'Un e-mail n’a pas pu être délivré (bounce)',
    'email.failed': 'Un e-mail a échoué pour une autre raison que son adresse',
    'email.open': 'Une personne a ouvert un e-mail',
    'email.click': 'Une personne a cliqué sur un lien',
    'email.complaint': 'Un e-mail a été signalé comme spam',
    'contact.subscribed': 'Un contact s’est abonné',
    'contact.unsubscribed': 'Un contact s’est désabonné',
    'campaign.paused': 'Une campagne a été mise en pause, en entier ou pour un fournisseur de messagerie',
  },
  anotherEvent: 'Autre événement',
  addEvent: 'Ajouter l’événement',
  states: { on: 'Actif', off: 'Inactif', failing: 'En échec', given: 'Désactivé' },
  failing: since =>
    `Tous les envois échouent depuis ${since}. Après 24 heures, le webhook est désactivé et tous les membres reçoivent un e-mail.`,
  givenUp:
    'Tous les envois ont échoué pendant 24 heures : ce webhook a été désactivé. Réparez votre serveur, réactivez le webhook, puis renvoyez les envois échoués.',
  turnOn: 'Activer',
  turnOff: 'Désactiver',
  turnedOn: 'Webhook activé',
  turnedOff: 'Webhook désactivé',
  tested: 'Test envoyé',
  secretWords: {
    title: 'Votre secret de signature',
    hint: 'Copiez le secret maintenant. Il ne sera plus affiché. Votre serveur vérifie avec lui la signature de chaque envoi, comme le décrit Standard Webhooks.',
    kept: 'Je l’ai conservé',
  },
  rotation: {
    action: 'Remplacer le secret',
    question: 'Remplacer le secret de signature ?',
    consequence:
      'Pendant 24 heures, les envois sont signés avec l’ancien et le nouveau secret, ce qui vous laisse le temps de mettre à jour votre serveur.',
  },
  removal: url => ({
    action: 'Supprimer le webhook',
    question: `Supprimer ${url} ?`,
    consequence:
      'Le webhook ne reçoit plus d’événements, et son journal d’envois est supprimé définitivement.',
  }),
  removed: 'Webhook supprimé',
  deliveries: 'Envois de webhooks',
  endpoint: 'Webhook',
  deliveriesHint: 'Conservés 30 jours.',
  noDeliveries: 'Pas encore d’envois',
  noDeliveriesHint: 'Envoyez un test, ou attendez le premier événement.',
  event: 'Événement',
  tries: 'Essais',
  deliveryStates: { PENDING: 'En cours', DELIVERED: 'Délivré', FAILED: 'Échoué' },
  nextTry: at => `Prochain essai : ${at}`,
  attempt: number => `Essai ${number}`,
  answered: status => `HTTP ${status}`,
  noAnswer: 'Pas de réponse',
  noTries: 'Aucun essai pour l’instant.',
  sent: 'Corps de la requête',
  replay: 'Renvoyer',
  replayed: number =>
    number === 0
      ? 'Aucun envoi à renvoyer'
      : count(number, { one: '# envoi relancé', other: '# envois relancés' }),
  replayFailed: 'Renvoyer les envois échoués',
  replayHint:
    'Renvoie jusqu’à 1 000 envois échoués, les plus anciens d’abord, avec le même identifiant et le même contenu.',
  span: 'Échoués ces derniers',
  spans: { day: '24 heures', week: '7 jours', month: '30 jours' },
}
