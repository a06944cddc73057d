// Les campagnes : toutes, en écrire une, l’envoyer, et ce qu’elle a donné.
import type { Texts } from '..'
import { contactsOf, count, formed } from './numbers'

/** "2 min", "3 h". */
function duration(seconds: number): string {
  if (seconds < 90) return `${seconds} s`
  return seconds < 5_400 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3_600)} h`
}

export const campaigns: Texts['campaigns'] = {
  title: 'Campagnes',
  hint: 'Un message à de nombreuses personnes.',
  create: 'Nouvelle campagne',
  compare: 'Comparer des campagnes',
  compareThis: 'Comparer avec une autre',
  beginHint:
    'Partez d’un modèle ou d’un e-mail qui convient presque. Vous choisirez plus tard qui le reçoit.',
  fromTemplate: 'À partir d’un modèle',
  chooseTemplate: 'Choisir un modèle',
  search: 'Rechercher par nom ou par objet',
  anyStatus: 'Tous les états',
  status: 'État',
  statuses: {
    DRAFT: 'Brouillon',
    SCHEDULED: 'Planifiée',
    SENDING: 'En cours d’envoi',
    SENT: 'Envoyée',
    CANCELLED: 'Annulée',
  },
  paused: 'En pause',
  recipients: 'Destinataires',
  opened: 'Ouverts',
  clicked: 'Cliqués',
  when: 'Quand',
  empty: 'Pas encore de campagnes',
  emptyHint: 'Écrivez à tous vos abonnés, ou à une partie d’entre eux.',
  nothing: 'Aucune campagne ne correspond',
  nothingHint: 'Recherchez une partie plus courte du nom, ou tous les états.',
  parts: 'Parties de la campagne',
  partNames: { write: 'Message', audience: 'Audience', send: 'Vérifier et envoyer' },
  toReview: 'Vérifier',
  audience: 'Audience',
  audienceHint: 'Qui en fait partie se décide au début de l’envoi.',
  audienceFixed: 'Elle est planifiée : annulez-la pour choisir d’autres personnes.',
  audiences: { ALL: 'Tout le monde', SEGMENT: 'Un segment', FILTERED: 'Un filtre' },
  chooseSegment: 'Choisir un segment',
  segmentWithCount: (name, members) => `${name} (${formed(members)})`,
  audienceUnfinished: 'Dites à qui elle s’adresse, et le compte s’affichera ici.',
  useAudience: 'Utiliser cette audience',
  reach: 'Qui la reçoit',
  reaches: (recipients, matching) =>
    `${count(recipients, { one: '# abonné', other: '# abonnés' })} sur ${contactsOf(matching)}`,
  forecast: (domain, day) => `${domain} monte en charge : la dernière partie s’en va le ${day}.`,
  forecastMore: days => count(days, { one: 'et # autre jour', other: 'et # autres jours' }),
  reachesAll: matching => `${contactsOf(matching)}, abonnés ou non`,
  check: 'Vérification avant l’envoi',
  test: 'Test',
  testTo: 'Envoyer un test à',
  sendTest: 'Envoyer un test',
  testSent: email => `Un test est en route vers ${email}`,
  unsavedHint: 'Le message a des modifications non enregistrées. Enregistrez-les avant l’envoi.',
  leave: 'Moment de l’envoi',
  leavesAt: moment => `Départ le ${moment}.`,
  whens: { now: 'Maintenant', later: 'Plus tard' },
  moment: 'Date et heure',
  zone: 'Fuseau horaire',
  hereThatIs: moment => `Chez vous, ce sera le ${moment}.`,
  nobody: 'Personne ne la recevrait : il n’y a aucun abonné dans l’audience.',
  sendNow: 'Envoyer maintenant',
  schedule: 'Planifier',
  sendTo: recipients => `Envoyer à ${contactsOf(recipients)}`,
  sendHint: recipients =>
    `Elle part tout de suite vers ${contactsOf(recipients)}. Ce qui est parti ne peut plus être repris.`,
  scheduleHint: (recipients, moment) =>
    `Elle part le ${moment} vers tous ceux qui seront alors dans l’audience, soit ${contactsOf(recipients)} pour l’instant.`,
  started: 'Elle est en route',
  scheduled: moment => `Départ le ${moment}`,
  copy: 'Faire une copie',
  cancel: 'Annuler la campagne',
  cancelTitle: name => `Annuler ${name} ?`,
  cancelHint: left =>
    `Elle s’arrête pour de bon : ${count(Math.max(left, 0), { one: '# contact ne la recevra pas', other: '# contacts ne la recevront pas' })}. Ceux qui l’ont reçue la gardent.`,
  deleteTitle: name => `Supprimer ${name}`,
  deleteHint: 'Le brouillon et tout ce qui y est écrit disparaissent définitivement.',
  pause: 'Mettre en pause',
  resume: 'Reprendre',
  retryFailed: 'Réessayer les échecs',
  retried: requeued =>
    count(requeued, { one: 'Nouvel essai pour # contact', other: 'Nouvel essai pour # contacts' }),
  pausedBecause: reason => `En pause : ${reason}`,
  progress: (done, all, rate, left) =>
    [
      `${formed(done)} sur ${formed(all)}`,
      ...(rate === null ? [] : [`${formed(rate)} par seconde`]),
      ...(left === null ? [] : [`reste ${duration(left)}`]),
    ].join(' · '),
  tiles: {
    sent: 'Envoyés',
    delivered: 'Remis',
    opened: 'Ouverts',
    clicked: 'Cliqués',
    bounced: 'Rejetés',
    complained: 'Plaintes',
    unsubscribed: 'Désabonnés',
  },
  ofRecipients: all => `sur ${formed(all)}`,
  peopleAndPrograms: (people, programs) =>
    programs > 0 ? `${formed(people)} ; programmes ${formed(programs)}` : formed(people),
  overTime: 'Ouvertures et clics au fil du temps',
  nothingYet: 'Rien ne s’est encore passé.',
  links: 'Liens',
  linksHint: 'Suivis par des personnes, autant qu’on puisse le savoir.',
  linkClicks: (people, clicks) =>
    `${count(people, { one: '# personne', other: '# personnes' })}, ${count(clicks, { one: '# clic', other: '# clics' })}`,
  anyReaction: 'Tous',
  noFilter: 'Retirer le filtre',
  reactions: {
    opened: 'A ouvert',
    notOpened: 'N’a pas ouvert',
    clicked: 'A suivi un lien',
    notClicked: 'N’a suivi aucun lien',
    bounced: 'Rejeté',
    complained: 'S’est plaint',
    failed: 'Échec',
  },
  nobodyFits: 'Personne ne correspond',
  makeSegment: 'En faire un segment',
  makeSegmentHint: all =>
    count(all, {
      one: 'Une liste de ce # contact, tel qu’il est maintenant.',
      other: 'Une liste de ces # contacts, tels qu’ils sont maintenant.',
    }),
  segmentMade: (name, members) => `${name} a ${contactsOf(members)}`,
  tooFew: 'Il n’y a encore rien à comparer',
  tooFewHint: 'Il faut d’abord que deux campagnes soient envoyées.',
  firstCampaign: 'Première campagne',
  secondCampaign: 'Deuxième campagne',
}
