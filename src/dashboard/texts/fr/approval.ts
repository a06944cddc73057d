// Approbation par un second membre, et ce qui est affiché aux rôles qui ne peuvent pas envoyer.
import type { Texts } from '..'
import { count } from './numbers'

export const approval: Texts['approval'] = {
  notYou: 'Votre rôle ne permet pas d’envoyer. Adressez-vous au propriétaire, à un admin ou à un membre.',
  someone: 'un ancien membre',
  request: 'Demander l’approbation',
  requested: 'Approbation demandée',
  hint: 'Un autre membre autorisé à envoyer approuve la campagne telle qu’elle est. Toute modification met fin à l’approbation.',
  requestedBy: (email, when) => `Approbation demandée par ${email} le ${when}.`,
  requestedByYou: when =>
    `Vous avez demandé l’approbation le ${when}. Un autre membre autorisé à envoyer décide.`,
  covers: (recipients, when) =>
    `Pour ${count(recipients, { one: '# destinataire', other: '# destinataires' })}, envoi ${when ? `le ${when}` : 'immédiat'}.`,
  approve: 'Approuver',
  approved: 'Campagne approuvée',
  approvedBy: (email, when) => `Approuvée par ${email} le ${when}.`,
  approvedFor: (email, when) =>
    `Approuvée par ${email} pour un envoi ${when ? `le ${when}` : 'immédiat'}. Pour une autre heure d’envoi, demandez de nouveau l’approbation.`,
  chooseApproved: when => (when ? 'Choisir l’heure approuvée' : 'Choisir « maintenant »'),
  older: 'La campagne, sa mise en page ou la marque a changé après l’ouverture de cette page.',
  showNew: 'Afficher la nouvelle version',
  proveFirst: 'Pour approuver, confirmez d’abord votre adresse e-mail dans votre profil.',
  decline: 'Refuser',
  declined: 'Campagne refusée',
  declineTitle: 'Refuser cette campagne ?',
  declineHint: 'Elle reste un brouillon. Votre motif est visible sur la page de la campagne.',
  reason: 'Motif',
  declinedBy: email => `Refusée par ${email}.`,
  ended: fault =>
    fault === 'moreRecipients'
      ? 'L’approbation n’est plus valable : l’audience a grandi. Demandez-la de nouveau.'
      : fault === 'otherTime'
        ? 'L’approbation concernait une autre heure d’envoi. Demandez-la de nouveau.'
        : 'L’approbation n’est plus valable : la campagne, sa mise en page, la marque ou un segment a changé. Demandez-la de nouveau.',
  waits: name => `« ${name} » attend une approbation`,
  waitsHint: email => `Demandée par ${email}.`,
  review: 'Examiner',
  rule: {
    title: 'Approbation avant l’envoi',
    hint: 'Un second membre approuve chaque campagne, y compris celles du propriétaire et de l’API. Personne n’approuve sa propre demande.',
    on: 'Exigée',
    off: 'Non exigée',
    turnOn: 'Exiger l’approbation',
    turnOff: 'Désactiver',
    ownerOnly: 'Seul le propriétaire peut la désactiver.',
    tooFew: 'Invitez un second membre autorisé à envoyer pour l’activer.',
  },
}
