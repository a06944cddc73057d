// Comment va l’instance, pour son exploitant.
import type { Texts } from '..'
import { count } from './numbers'

export const instance: Texts['instance'] = {
  title: 'Instance',
  hint: 'L’état de ce Waxwing. Vous seul le voyez : votre compte a été créé le premier.',
  closed: 'Cette page est pour l’exploitant',
  closedHint: 'Le compte créé le premier sur cette instance voit son état.',
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
  levels: { ok: 'Bon', warn: 'Avertissement', fail: 'Erreur' },
  jobs: 'Tâches en arrière-plan',
  jobsHint: 'Ce qui attend, tourne, ou a été abandonné.',
  noJobs: 'Rien n’attend, et rien n’a été abandonné.',
  columns: {
    kind: 'Type',
    queued: 'En attente',
    running: 'En cours',
    failed: 'Abandonnées',
    due: 'Prévues depuis',
  },
  failed: 'Abandonnées',
  failedHint: 'Les tâches qui ont échoué à chaque essai. Elles sont gardées quelques jours.',
  failedOf: kind => `Du type ${kind}.`,
  allKinds: 'Tous les types',
  noneFailed: 'Rien n’a été abandonné.',
  attempts: tries => count(tries, { one: '# essai', other: '# essais' }),
}
