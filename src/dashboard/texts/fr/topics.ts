// Les sortes de messages dont chaque contact décide une à une.
import type { Texts } from '..'

export const topics: Texts['topics'] = {
  title: 'Sujets',
  about: 'Des sortes de messages dont on décide une à une. Qui est désabonné n’en reçoit aucune.',
  one: 'Sujet',
  none: 'Aucun sujet',
  noneHint: 'Part à toutes les personnes abonnées.',
  chosenHint:
    'Ne part qu’aux personnes qui veulent ce sujet. Un clic dans le message quitte ce sujet, et rien d’autre.',
  create: 'Nouveau sujet',
  empty: 'Pas encore de sujets',
  emptyHint:
    'Avec des sujets, on quitte la lettre et on garde les nouveautés. Les campagnes et les workflows en nomment un.',
  descriptionHint: 'Les destinataires la lisent sous le nom, sur la page de leur abonnement.',
  byDefaultHint:
    'Sinon, seulement qui s’y abonne. Cela ne se change plus ensuite : ce serait changer ce à quoi on a consenti.',
  defaults: { in: 'Tout le monde le reçoit jusqu’à son départ', out: 'Seulement qui s’y abonne' },
  archived: 'Archivé',
  archive: 'Archiver',
  offerAgain: 'Proposer à nouveau',
  nowArchived: name => `${name} n’est plus proposé`,
  nowOffered: name => `${name} est à nouveau proposé`,
  hidden: 'Absent des pages d’abonnement',
  hide: 'Masquer sur les pages d’abonnement',
  unhide: 'Afficher sur les pages d’abonnement',
  nowHidden: name => `Les pages d’abonnement ne proposent plus ${name}`,
  nowShown: name => `Les pages d’abonnement proposent ${name}`,
  openArchive: 'Ouvrir une archive publique',
  closeArchive: 'Fermer l’archive publique',
  publicArchive: 'Archive publique',
  nowPublic: name => `L’archive de ${name} est publique. Elle montre les campagnes prévues pour cela.`,
  nowPrivate: name => `L’archive de ${name} est fermée`,
  actionsOf: name => `Actions pour ${name}`,
  showContacts: 'Voir qui le reçoit',
  deleteHint:
    'Seulement tant que personne n’en a décidé et que rien ne le nomme. Tout autre sujet peut être archivé.',
  states: { in: 'Abonné', out: 'Non abonné' },
  byItself: 'par défaut',
  allOff: 'Désabonné de tout : aucun message d’un sujet ne part.',
  joined: name => `Abonné à ${name}`,
  left: name => `Désabonné de ${name}`,
  gone: 'un sujet supprimé',
  wants: (name, isIn) => (isIn ? `reçoit le sujet « ${name} »` : `ne reçoit pas le sujet « ${name} »`),
}
