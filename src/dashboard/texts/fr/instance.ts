// Comment va l’instance, pour son exploitant.
import type { Texts } from '..'
import { count } from './numbers'

export const instance: Texts['instance'] = {
  title: 'Instance',
  hint: 'Comment va ce Waxwing. Vous seul le voyez : votre compte a été créé le premier.',
  closed: 'Cette page est pour l’exploitant',
  closedHint: 'Le compte créé le premier sur cette instance voit comment elle va.',
  facts: {
    version: 'Version',
    started: 'Démarrée',
    address: 'Adresse',
    transport: 'Les e-mails partent par',
    database: 'Base de données',
    builtIn: 'intégrée',
    external: 'externe',
    backup: 'Sauvegardes',
  },
  transports: {
    outbox: 'Rien : tout reste dans la boîte d’envoi',
    smtp: 'Relais SMTP',
    ses: 'Amazon SES',
    sendmail: 'sendmail',
  },
  backupHint: 'Écrit tout dans un fichier, pendant que les e-mails continuent de partir.',
  findings: 'Contrôle',
  findingsHint: 'Ce que trouve « waxwing doctor ».',
  lookAgain: 'Vérifier de nouveau',
  levels: { ok: 'Bon', warn: 'Avertissement', fail: 'Échec' },
  jobs: 'Travail en arrière-plan',
  jobsHint: 'Ce qui attend, tourne, ou a été abandonné.',
  noJobs: 'Rien n’attend, et rien n’a été abandonné.',
  columns: {
    kind: 'Genre',
    queued: 'En attente',
    running: 'En cours',
    failed: 'Abandonnées',
    due: 'Dues depuis',
  },
  failed: 'Abandonnées',
  failedHint: 'Les tâches qui ont échoué à chaque essai. Elles sont gardées quelques jours.',
  failedOf: kind => `Du genre ${kind}.`,
  allKinds: 'Tous les genres',
  noneFailed: 'Rien n’a été abandonné.',
  attempts: tries => count(tries, { one: '# essai', other: '# essais' }),
}
