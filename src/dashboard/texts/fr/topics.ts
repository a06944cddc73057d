// Les types d’e-mails que chaque contact peut choisir.
import type { Texts } from '..'

export const topics: Texts['topics'] = {
  title: 'Thèmes',
  about: 'Types d’e-mails que chacun peut choisir. Les contacts désabonnés n’en reçoivent aucun.',
  one: 'Thème',
  none: 'Aucun thème',
  noneHint: 'Envoyé à tous les contacts abonnés.',
  chosenHint:
    'Envoyé seulement aux contacts abonnés à ce thème. Le lien de désabonnement ne désabonne que de ce thème.',
  create: 'Nouveau thème',
  empty: 'Pas encore de thèmes',
  emptyHint:
    'Grâce aux thèmes, on peut quitter la newsletter et garder les nouveautés. Choisissez un thème dans les campagnes et les workflows.',
  descriptionHint: 'Affichée sous le nom, sur la page de préférences.',
  byDefaultHint:
    'Ce choix ne peut plus être modifié ensuite, car il changerait ce à quoi les personnes ont consenti.',
  defaults: { in: 'Abonné par défaut', out: 'Sur inscription' },
  archived: 'Archivé',
  archive: 'Archiver',
  offerAgain: 'Proposer à nouveau',
  nowArchived: name => `${name} n’est plus proposé`,
  nowOffered: name => `${name} est à nouveau proposé`,
  hidden: 'Absent des pages de préférences',
  hide: 'Masquer sur les pages de préférences',
  unhide: 'Afficher sur les pages de préférences',
  nowHidden: name => `Les pages de préférences ne proposent plus ${name}`,
  nowShown: name => `Les pages de préférences proposent ${name}`,
  openArchive: 'Ouvrir une archive publique',
  closeArchive: 'Fermer l’archive publique',
  publicArchive: 'Archive publique',
  nowPublic: name => `L’archive de ${name} est publique. Elle montre les campagnes prévues pour cela.`,
  nowPrivate: name => `L’archive de ${name} est fermée`,
  actionsOf: name => `Actions pour ${name}`,
  showContacts: 'Voir les abonnés',
  deleteHint:
    'Seul un thème qu’aucun contact n’a choisi ni quitté et qui n’est utilisé nulle part peut être supprimé. Archivez-le plutôt.',
  states: { in: 'Abonné', out: 'Non abonné' },
  byItself: 'par défaut',
  allOff: 'Désabonné de tous les e-mails, thèmes compris.',
  joined: name => `Abonné à ${name}`,
  left: name => `Désabonné de ${name}`,
  gone: 'un thème supprimé',
  wants: (name, isIn) => (isIn ? `reçoit le thème « ${name} »` : `ne reçoit pas le thème « ${name} »`),
}
