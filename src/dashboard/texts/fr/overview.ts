// La première page d’un projet.
import type { Texts } from '..'
import { localeOf } from '../language'
import { once } from '../once'
import { count } from './numbers'

const change = once(
  () =>
    new Intl.NumberFormat(localeOf('fr'), {
      signDisplay: 'always',
      minimumFractionDigits: 1,
      maximumFractionDigits: 1,
    }),
)

export const overview: Texts['overview'] = {
  span: 'Jours affichés',
  days: days => count(days, { one: '# jour', other: '# jours' }),
  chart: 'Messages par jour',
  sent: 'Envoyés',
  sentBefore: 'Envoyés la période précédente',
  delivered: 'Remis',
  opens: 'Ouverts',
  clicks: 'Cliqués',
  bounces: 'Rejetés',
  complaints: 'Plaintes',
  asBefore: 'comme avant',
  before: count => `${count} avant`,
  points: points => `${change().format(points)} points`,
  noMail: 'Pas d’e-mails pendant cette période',
  noMailHint: 'Les chiffres apparaissent ici avec le premier message.',
  health: 'Santé',
  noDomain: 'Pas encore de domaine d’envoi',
  noDomainHint: 'Ajoutez le domaine d’où viennent vos e-mails.',
  domainsGood: 'Tous les domaines d’envoi sont vérifiés',
  domainWaits: domain => `${domain} n’est pas vérifié`,
  domainWaitsHint:
    'Publiez ses enregistrements DNS ; ils sont vérifiés à intervalles de quelques minutes. D’ici là, rien ne peut en partir.',
  disabled: 'L’envoi est suspendu',
  disabledHint: (reason: string) =>
    `${reason}. Seul l’exploitant de cette instance peut lever la suspension.`,
  suspensions: {
    EMAIL_REPUTATION: 'Trop d’e-mails ont été rejetés ou signalés comme indésirables',
    PAYMENT_FAILED: 'Un paiement a échoué',
    PHISHING_DETECTED: 'Des e-mails de ce projet ressemblent à de l’hameçonnage',
    MANUAL: 'L’exploitant a suspendu ce projet',
  },
  reputationGood: 'Peu de rejets et peu de plaintes',
  reputationHint: 'N’écrivez qu’à ceux qui l’ont demandé, et retirez les adresses qui rejettent.',
  paused: 'L’envoi est en pause sur cette instance',
  pausedHint: 'L’exploitant le reprend avec « waxwing resume ».',
  queueFailed: 'La file d’attente ne répond pas',
  queueGood: 'Les e-mails partent sans attendre',
  queueLate: waiting => `${waiting} tâches attendent, certaines depuis plus de cinq minutes`,
  queueLateHint: 'Une grande campagne prend du temps. Si rien ne bouge, regardez le journal du programme.',
  rejections: 'Rejetés par les fournisseurs de messagerie',
  rejectionsHint:
    'E-mails qu’un fournisseur a refusés à cause de ses règles, de votre réputation ou du contenu. Les adresses restent abonnées.',
  rejected: (emails: number) => count(emails, { one: '# e-mail', other: '# e-mails' }),
  upcoming: 'À venir',
  nothingUpcoming: 'Rien n’est planifié, et aucun workflow n’attend.',
  start: 'Premiers pas',
  hideStart: 'Masquer les premiers pas',
  done: 'Fait',
  steps: {
    domain: {
      title: 'Vérifier un domaine d’envoi',
      hint: 'Quelques enregistrements DNS, pour que vos e-mails inspirent confiance et arrivent.',
      action: 'Domaines',
    },
    mail: {
      title: 'Envoyer un premier e-mail',
      hint: 'À vous-même, en un clic, ou avec le code ci-contre.',
    },
    contact: {
      title: 'Ajouter un contact',
      hint: 'Tous ceux à qui vous écrivez en deviennent un ; une liste existante peut être importée.',
      action: 'Contacts',
    },
    campaign: {
      title: 'Envoyer une campagne',
      hint: 'Un message à tous vos contacts, ou à quelques-uns.',
    },
  },
  sendTest: email => `Envoyer à ${email}`,
  testSent: email => `Un e-mail est en route vers ${email}.`,
  testSubject: 'Votre premier e-mail de Waxwing',
  testBody: '<p>Bonjour !</p><p>Voici le premier e-mail de votre projet. Tout fonctionne.</p>',
}
