// La première page d’un projet.
import type { Texts } from '..'
import { contactsOf, count } from './numbers'

export const home: Texts['home'] = {
  attention: 'À traiter',
  nothingToDo: 'Rien à traiter',
  showMore: number => `En afficher ${number} de plus`,
  viewEmails: 'Voir les e-mails',
  viewInstance: 'Voir l’instance',
  viewCampaign: 'Voir la campagne',
  viewDeliveries: 'Voir les envois',
  showRecords: 'Afficher les enregistrements',
  domainWaits: domain => `${domain} n’est pas vérifié`,
  domainWaitsHint:
    'Vous ne pourrez envoyer depuis ce domaine que lorsque ses enregistrements DNS auront été trouvés.',
  disabled: 'L’envoi est suspendu',
  disabledHint: reason => `${reason}. Seul l’exploitant de cette instance peut lever la suspension.`,
  suspensions: {
    EMAIL_REPUTATION: 'Trop de bounces ou de plaintes pour spam',
    PAYMENT_FAILED: 'Un paiement a échoué',
    PHISHING_DETECTED: 'Les e-mails de ce projet ressemblent à de l’hameçonnage',
    MANUAL: 'L’exploitant a suspendu ce projet',
  },
  reputationHint:
    'N’écrivez qu’aux personnes qui l’ont demandé, et retirez les adresses en erreur (bounces).',
  paused: 'L’envoi est en pause sur cette instance',
  pausedHint: 'L’exploitant le reprend avec « waxwing resume ».',
  queueFailed: 'La file d’attente ne répond pas',
  queueLate: waiting => `${waiting} tâches attendent, certaines depuis plus de 5 minutes`,
  queueLateHint:
    'Une grande campagne prend du temps. Si rien n’est envoyé, consultez le journal de l’instance.',
  campaignPaused: name => `« ${name} » est en pause`,
  campaignPausedHint: at => `En pause depuis le ${at}. Les autres destinataires attendent.`,
  providerPaused: (provider, name, waiting) =>
    `${provider} refuse « ${name} », ${count(waiting, { one: '# e-mail attend', other: '# e-mails attendent' })}`,
  endpointFailing: url => `Le webhook ${url} ne répond pas`,
  endpointFailingHint: since =>
    `Tous les envois échouent depuis le ${since}. Après 24 heures, le webhook est désactivé.`,
  endpointOff: url => `Le webhook ${url} a été désactivé`,
  endpointOffHint:
    'Tous les envois ont échoué pendant 24 heures. Réparez votre serveur, puis réactivez le webhook.',
  checkFailed: about => `Contrôle en échec : ${about}`,
  lastCampaign: 'Dernière campagne',
  noCampaign: 'Votre dernière campagne et ses résultats s’affichent ici.',
  sentTo: (at, recipients) =>
    `Envoyée le ${at} à ${count(recipients, { one: '# destinataire', other: '# destinataires' })}`,
  viewResults: 'Voir les résultats',
  sending: name => `Envoi de ${name}`,
  rates: {
    delivered: 'Délivrés',
    opened: 'Ouverts',
    clicked: 'Cliqués',
    bounced: 'Bounces',
    unsubscribed: 'Désabonnés',
  },
  asUsual: 'Comme d’habitude',
  vsUsual: points =>
    `${points > 0 ? '+' : '−'}${Math.abs(points).toFixed(1).replace('.', ',')} que d’habitude`,
  contacts: contactsOf,
  email: 'E-mail',
  notOpened: number =>
    `${count(number, { one: '# contact n’a', other: '# contacts n’ont' })} pas ouvert cette campagne.`,
  showContacts: 'Afficher les contacts',
  opensChart: opens => `Ouvertures par heure dans les 48 premières heures : ${opens}`,
  opensPerHour: 'Ouvertures par heure',
  firstHours: hours => `Les ${hours} premières heures`,
  deliverability: 'Délivrabilité',
  deliverabilityHint: 'E-mails refusés par les fournisseurs de messagerie ces 30 derniers jours.',
  noRejections: 'Aucun e-mail refusé',
  rejected: emails => `${count(emails, { one: '# e-mail refusé', other: '# e-mails refusés' })}`,
  upcoming: 'À venir',
  nothingUpcoming: 'Les campagnes planifiées et les workflows en attente s’affichent ici.',
  start: 'Pour commencer',
  hideStart: 'Masquer',
  done: 'Fait',
  steps: {
    domain: {
      title: 'Vérifier un domaine d’envoi',
      hint: 'Quelques enregistrements DNS, et les fournisseurs de messagerie font confiance à vos e-mails.',
      action: 'Ajouter un domaine',
    },
    mail: {
      title: 'Envoyer un e-mail de test',
      hint: 'À vous-même, ou depuis votre code : voir Paramètres, Démarrage.',
    },
    contact: {
      title: 'Ajouter des contacts',
      hint: 'Un par un, depuis un fichier, ou avec un formulaire d’inscription.',
      action: 'Ajouter un contact',
    },
    campaign: { title: 'Envoyer une campagne', hint: 'Un e-mail à de nombreux contacts.' },
  },
  sendTest: email => `Envoyer à ${email}`,
  testSent: email => `E-mail de test envoyé à ${email}`,
  showOutbox: 'Afficher la boîte d’envoi',
  testSubject: 'Votre premier e-mail de Waxwing',
  testBody: '<p>Bonjour,</p><p>Voici le premier e-mail de votre projet. Tout fonctionne.</p>',
}
