// Les campagnes : toutes, en écrire une, l’envoyer, et ce qu’elle a donné.

import type { Texts } from '..'
import { abTest } from './ab-test'
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
  showInArchive: 'Montrer dans l’archive publique',
  hideInArchive: 'Retirer de l’archive publique',
  nowShown: 'Visible dans l’archive de son thème, si elle est publique',
  nowHidden: 'N’est plus dans l’archive',
  compareThis: 'Comparer avec une autre',
  beginHint:
    'Partez d’un modèle ou d’un e-mail qui convient presque. Vous choisirez plus tard qui le reçoit.',
  to: 'À',
  recipientCount: number => count(number, { one: '# destinataire', other: '# destinataires' }),
  chooseAudience: 'Choisir l’audience',
  fromTemplate: 'À partir d’un modèle',
  anyStatus: 'Tous les états',
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
  empty: 'Pas encore de campagnes',
  emptyHint: 'Écrivez à tous vos abonnés, ou à une partie d’entre eux.',
  nothing: 'Aucune campagne ne correspond',
  nothingHint: 'Recherchez une partie plus courte du nom, ou tous les états.',
  parts: 'Parties de la campagne',
  partNames: { write: 'Contenu', audience: 'Audience', send: 'Vérifier et envoyer' },
  toReview: 'Vérifier',
  audienceHint: 'Qui en fait partie se décide au début de l’envoi.',
  audienceFixed: 'Elle est planifiée. Déprogrammez-la pour changer de destinataires.',
  audiences: { ALL: 'Tout le monde', SEGMENT: 'Segments et thèmes', FILTERED: 'Un filtre' },
  chooseSegment: 'Choisir un segment ou un thème',
  inSegments: 'Dans au moins un de ceux-ci',
  notInSegments: 'Dans aucun de ceux-ci',
  excludeSegment: 'Choisir un segment ou un thème à exclure',
  addSegment: 'Ajouter',
  removeSegment: (name: string) => `Retirer ${name}`,
  deletedSegment: 'Segment supprimé',
  noSegments: 'Il n’y a encore ni segment ni thème.',
  audienceExcept: (included: string, excluded: string) => `${included} sauf ${excluded}`,
  inTopic: (audience, topic) => `${audience}, seulement les abonnés à ${topic}`,
  didWith: (campaign, reaction) => `${campaign} : ${reaction}`,
  segmentWithCount: (name, members) => `${name} (${formed(members)})`,
  audienceUnfinished: 'Dites à qui elle s’adresse, et le compte s’affichera ici.',
  reach: 'Qui la reçoit',
  reachOf: {
    reached: contacts => count(contacts, { one: '# contact la recevra', other: '# contacts la recevront' }),
    others: (contacts, reasons) =>
      `${count(contacts, { one: '# ne la recevra pas', other: '# ne la recevront pas' })} : ${reasons}`,
    reasons: {
      unsubscribed: contacts => count(contacts, { one: '# désabonné', other: '# désabonnés' }),
      snoozed: contacts => `${formed(contacts)} en pause`,
      neverSubscribed: contacts => count(contacts, { one: '# jamais abonné', other: '# jamais abonnés' }),
      topic: contacts => count(contacts, { one: '# non abonné au thème', other: '# non abonnés au thème' }),
      suppressed: contacts => count(contacts, { one: '# bloqué', other: '# bloqués' }),
      cap: contacts => `${formed(contacts)} au-delà de la limite de fréquence`,
    },
  },
  forecast: (domain, day) => `${domain} monte en charge : la dernière partie s’en va le ${day}.`,
  forecastTransports: (names: string, day: string) =>
    `Les transports possibles sont en montée en charge (${names}) : les derniers envois partent le ${day}.`,
  heldByCap: (recipients: number) =>
    `${contactsOf(recipients)} : en attente à cause de la limite de fréquence`,
  skippedByCap: (recipients: number) =>
    `${contactsOf(recipients)} : ignorés à cause de la limite de fréquence`,
  forecastUnknown: {
    OTHER_PROJECTS: 'Ce que d’autres projets envoient par les mêmes transports n’est pas connu.',
    RECIPIENT_TRANSPORTS:
      'Certains le recevront peut-être plus tôt, par un transport réservé à leur domaine.',
    OTHER_MAIL: 'D’autres e-mails envoyés avant comptent aussi pour la limite de fréquence.',
  },
  forecastMore: days => count(days, { one: 'et # autre jour', other: 'et # autres jours' }),
  forecastMoments: 'À l’heure de ses destinataires, elle s’en va dans ces heures :',
  forecastMoreHours: hours => count(hours, { one: 'et # autre heure', other: 'et # autres heures' }),
  withoutTimeZone: recipients =>
    `${contactsOf(recipients)} sans fuseau horaire : celui du projet s’applique.`,
  held: recipients =>
    `${contactsOf(recipients)} en attente : plages de silence, limite de fréquence, heures de la campagne ou fournisseur de messagerie`,
  skippedByRule: recipients =>
    `${contactsOf(recipients)} : ignorés à cause des plages de silence ou de la limite de fréquence`,
  noPreview:
    'Pas d’aperçu : cet e-mail ne peut pas encore être affiché. La raison se trouve sous « Vérification avant l’envoi ».',
  check: 'Vérification avant l’envoi',
  test: 'Test',
  testTo: 'Envoyer un test à',
  testHint: most => `Jusqu’à ${formed(most)} adresses, séparées par des virgules.`,
  testWrong: address => `« ${address} » n’est pas une adresse e-mail`,
  testMany: most => `Un test peut être envoyé à ${formed(most)} adresses au plus`,
  testSent: emails =>
    emails.length === 1
      ? `Un test est en route vers ${emails[0]}`
      : `Un test est en route vers ${formed(emails.length)} adresses`,
  unsavedHint: 'L’aperçu montre ce qui est enregistré. L’envoi enregistre d’abord vos modifications.',
  publishesToo: 'Publie aussi vos modifications non publiées de cette campagne.',
  leave: 'Moment de l’envoi',
  whens: { now: 'Maintenant', later: 'Plus tard' },
  moment: 'Date et heure',
  hereThatIs: moment => `Chez vous, ce sera le ${moment}.`,
  timing: {
    use: 'À l’heure des destinataires, ou répartie sur des heures',
    localTime: 'À cette heure locale',
    passed: 'Là où elle est passée',
    passedRules: { NEXT_DAY: 'le lendemain', NOW: 'tout de suite' },
    from: 'Pas avant',
    to: 'Pas après',
    weekdays: 'Ces jours-là',
    spread: 'Répartie sur des heures, 168 au plus',
    hint: 'Laissez vide ce qui n’importe pas. Les paramètres du projet disent où se trouve le fuseau horaire d’un contact.',
  },
  abTest,
  missing: {
    name: 'Saisissez un nom.',
    subject: 'Saisissez un objet.',
    from: 'Saisissez une adresse d’expéditeur.',
    audience: 'Choisissez un segment ou complétez le filtre.',
    time: 'Complétez l’heure ou effacez-la.',
    timing: 'Indiquez une heure, des jours ou une durée, ou désactivez cette option.',
    number: (least, most) => `Saisissez un nombre entre ${formed(least)} et ${formed(most)}.`,
    variant: 'Donnez à cette variante un objet, un nom d’expéditeur ou un contenu différent de A.',
    testShare: (recipients, variants, least) =>
      `Trop peu pour ${formed(variants)} variantes : l’audience compte ${contactsOf(recipients)}. Saisissez ${formed(least)} ou plus, ou désactivez le test A/B.`,
    testAudience: variants =>
      `L’audience est trop petite : ${formed(variants)} variantes demandent au moins ${contactsOf(variants)}. Désactivez le test A/B ou choisissez une audience plus grande.`,
    moment: 'Complétez la date et l’heure.',
    passed: 'Cette heure est passée. Choisissez-en une plus tardive ou envoyez maintenant.',
  },
  changedMeanwhile:
    'Quelqu’un d’autre a modifié cette campagne. Rien n’a été envoyé. Fermez cette fenêtre, relisez la campagne, puis envoyez-la.',
  summary: {
    audience: (name, recipients) => `${name} : ${contactsOf(recipients)}`,
    when: 'Heure d’envoi',
    timing: 'Fuseaux horaires des destinataires',
    localTime: (time, isNow) =>
      `À ${time}, heure locale ; si elle est passée, ${isNow ? 'maintenant' : 'le lendemain'}`,
    window: (from, to) => `entre ${from} et ${to}`,
    spread: hours => `réparti sur ${count(hours, { one: '# heure', other: '# heures' })}`,
    tested: (variants, share, tested, isExact) =>
      `${formed(variants)} variantes sont envoyées à ${formed(share)} % des destinataires (${isExact ? '' : 'environ '}${contactsOf(tested)}).`,
    variant: (name, contacts, isExact) =>
      `Variante ${name} : ${isExact ? '' : 'environ '}${contactsOf(contacts)}`,
    content: 'Contenu différent',
    remaining: 'Reste de l’audience',
    waiting: (contacts, hours, metric, confidence, isA, isExact) =>
      `${isExact ? '' : 'Environ '}${count(contacts, { one: '# contact attend', other: '# contacts attendent' })} la gagnante. ${count(hours, { one: '# heure', other: '# heures' })} après le début de l’envoi, ils reçoivent la variante en tête pour les ${metric} si la certitude atteint ${formed(confidence)} %. Sans gagnante, ${isA ? 'ils reçoivent A' : 'ils attendent que quelqu’un choisisse'}.`,
    nobodyWaits: 'Les variantes sont envoyées à tous les destinataires.',
    findings: number =>
      `La vérification a trouvé ${count(number, { one: '# problème', other: '# problèmes' })} dans cet e-mail.`,
    toFindings: 'Voir les problèmes',
  },
  nobody: 'Personne ne la recevrait. Choisissez une autre audience.',
  sendNow: 'Envoyer maintenant',
  schedule: 'Planifier',
  sendTo: recipients => `Envoyer à ${contactsOf(recipients)}`,
  sendVariants: (recipients, isExact) =>
    `Envoyer les variantes à ${isExact ? '' : 'environ '}${contactsOf(recipients)}`,
  sendHint: 'L’envoi commence maintenant. Les e-mails envoyés ne peuvent pas être rappelés.',
  sendDelayHint: (seconds: number) => {
    const delay =
      seconds % 60 === 0
        ? count(seconds / 60, { one: '# minute', other: '# minutes' })
        : count(seconds, { one: '# seconde', other: '# secondes' })
    return `L’envoi commence dans ${delay}. Vous pouvez l’annuler jusque-là.`
  },
  waiting: {
    title: 'En attente d’envoi',
    soon: (seconds: number, recipients: number) =>
      seconds > 0
        ? `L’envoi à ${contactsOf(recipients)} commence dans ${count(seconds, { one: '# seconde', other: '# secondes' })}.`
        : `L’envoi à ${contactsOf(recipients)} commence.`,
    later: (moment: string, recipients: number) =>
      `Envoi prévu le ${moment}, à ${contactsOf(recipients)} pour l’instant.`,
    undo: 'Annuler l’envoi',
    unschedule: 'Déprogrammer',
    takenBack: 'De nouveau un brouillon. Rien n’a été envoyé.',
    tooLate: 'Trop tard : l’envoi a commencé.',
  },
  scheduleHint: 'L’envoi se fait à toutes les personnes dans l’audience à ce moment-là.',
  started: 'Elle est en route',
  scheduled: moment => `Départ le ${moment}`,
  cancel: 'Annuler la campagne',
  cancelTitle: name => `Annuler ${name} ?`,
  cancelHint: left =>
    `Elle s’arrête pour de bon : ${count(Math.max(left, 0), { one: '# contact ne la recevra pas', other: '# contacts ne la recevront pas' })}. Ceux qui l’ont reçue la gardent.`,
  deleteHint: 'Le brouillon et tout ce qui y est écrit disparaissent définitivement.',
  pause: 'Mettre en pause',
  resume: 'Reprendre',
  retryFailed: 'Réessayer les échecs',
  retried: requeued =>
    count(requeued, { one: 'Nouvel essai pour # contact', other: 'Nouvel essai pour # contacts' }),
  pausedBecause: reason => `En pause : ${reason}`,
  receivers: {
    title: 'En pause pour ces fournisseurs de messagerie',
    hint: 'Ces fournisseurs refusent la campagne à cause de l’expéditeur, d’une règle ou du contenu. De temps en temps, Waxwing teste avec un seul e-mail chacun de ceux qui ne sont pas ignorés. Tous les autres contacts reçoivent la campagne.',
    waiting: contacts => `${contactsOf(contacts)} en attente`,
    skipped: 'Ignorés',
    since: at => `Depuis : ${at}`,
    nextTry: at => `Prochain essai : ${at}`,
    resume: 'Reprendre l’envoi',
    skip: 'Ignorer les contacts',
    skipTitle: provider => `Ignorer les contacts chez ${provider} ?`,
    skipConsequence: contacts =>
      `Sans cette campagne : ${contactsOf(contacts)}. Vous pourrez la leur envoyer plus tard avec « Réessayer les échecs ».`,
  },
  waitsForTest: (done, all) => `${formed(done)} sur ${formed(all)} · En attente du test A/B`,
  progress: (done, all, rate, left) =>
    [
      `${formed(done)} sur ${formed(all)}`,
      ...(rate === null ? [] : [`${formed(rate)} par seconde`]),
      ...(left === null ? [] : [`reste ${duration(left)}`]),
    ].join(' · '),
  tiles: {
    sent: 'Envoyés',
    delivered: 'Délivrés',
    opened: 'Ouverts',
    clicked: 'Cliqués',
    bounced: 'Bounces',
    complained: 'Plaintes',
    unsubscribed: 'Désabonnés',
  },
  ofRecipients: all => `sur ${formed(all)}`,
  peopleAndPrograms: (people, programs) =>
    programs > 0 ? `${formed(people)} ; programmes ${formed(programs)}` : formed(people),
  usually: rate => `D’habitude ${rate}`,
  overTime: 'Ouvertures et clics au fil du temps',
  linksHint: 'Suivis par des personnes, autant qu’on puisse le savoir.',
  linkClicks: (people, clicks) =>
    `${count(people, { one: '# personne', other: '# personnes' })}, ${count(clicks, { one: '# clic', other: '# clics' })}`,
  next: {
    title: 'Et ensuite',
    hint: 'Crée un brouillon avec ce contenu. Il est envoyé aux contacts qui ont reçu cette campagne, n’ont toujours pas réagi au moment de l’envoi et sont encore abonnés.',
    actions: {
      notOpened: 'Envoyer à ceux qui n’ont pas ouvert',
      notClicked: 'Envoyer à ceux qui n’ont pas cliqué',
    },
    names: {
      notOpened: name => `${name} (non ouverte)`,
      notClicked: name => `${name} (non cliquée)`,
    },
  },
  anyReaction: 'Tous',
  noFilter: 'Retirer le filtre',
  reactions: {
    opened: 'A ouvert',
    notOpened: 'N’a pas ouvert',
    clicked: 'A suivi un lien',
    notClicked: 'N’a suivi aucun lien',
    bounced: 'Bounce',
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
