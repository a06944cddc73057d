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
  created: name => `${name} a été créé`,
  empty: 'Pas encore de sujets',
  emptyHint:
    'Avec des sujets, on quitte la lettre et on garde les nouveautés. Les campagnes et les workflows en nomment un.',
  name: 'Nom',
  description: 'Description',
  descriptionHint: 'Les destinataires la lisent sous le nom, sur la page de leur abonnement.',
  byDefault: 'Tout le monde le reçoit jusqu’à son départ',
  byDefaultHint:
    'Sinon, seulement qui s’y abonne. Cela ne se change plus ensuite : ce serait changer ce à quoi on a consenti.',
  defaults: { in: 'Tout le monde le reçoit jusqu’à son départ', out: 'Seulement qui s’y abonne' },
  archived: 'Archivé',
  archive: 'Archiver',
  offerAgain: 'Proposer à nouveau',
  nowArchived: name => `${name} n’est plus proposé`,
  nowOffered: name => `${name} est à nouveau proposé`,
  openArchive: 'Ouvrir une archive publique',
  closeArchive: 'Fermer l’archive publique',
  publicArchive: 'Archive publique',
  nowPublic: name => `L’archive de ${name} est publique. Elle montre les campagnes prévues pour cela.`,
  nowPrivate: name => `L’archive de ${name} est fermée`,
  actionsOf: name => `Actions pour ${name}`,
  showContacts: 'Voir qui le reçoit',
  deleteTitle: name => `Supprimer ${name}`,
  deleteHint:
    'Seulement tant que personne n’en a décidé et que rien ne le nomme. Tout autre sujet peut être archivé.',
  deleted: name => `${name} a été supprimé`,
  states: { in: 'Abonné', out: 'Non abonné' },
  byItself: 'par défaut',
  allOff: 'Désabonné de tout : aucun message d’un sujet ne part.',
  joined: name => `Abonné à ${name}`,
  left: name => `Désabonné de ${name}`,
  gone: 'un sujet supprimé',
  wants: (name, isIn) => (isIn ? `reçoit le sujet « ${name} »` : `ne reçoit pas le sujet « ${name} »`),
}
