// Les segments : tous, un seul, en construire un, et les listes à la main.
import type { Texts } from '..'
import { addressesOf, contactsOf, count } from './numbers'

export const segments: Texts['segments'] = {
  title: 'Segments',
  about: 'Des ensembles de contacts auxquels renvoient campagnes, workflows et autres segments.',
  create: 'Nouveau segment',
  createDynamic: 'Par une condition',
  createStatic: 'Une liste à la main',
  empty: 'Pas encore de segments',
  emptyHint: 'Un segment par condition est toujours à jour ; une liste se tient à la main.',
  kinds: { DYNAMIC: 'Condition', STATIC: 'Liste' },
  tracked: 'Suivi',
  createdAt: 'Créé',
  addedAt: 'Ajouté',
  facts: 'À propos',
  compute: 'Mettre à jour',
  recount: 'Recompter',
  computed: (added, removed) =>
    `${count(added, { one: '# contact arrivé', other: '# contacts arrivés' })}, ${count(removed, { one: '# parti', other: '# partis' })}`,
  deleteHint: members =>
    `Le segment et son historique disparaissent définitivement. ${count(members, { one: 'Son # contact reste', other: 'Ses # contacts restent' })}. Tant qu’il sert ailleurs, il ne peut pas être supprimé.`,
  nobody: 'Il ne contient personne',
  nobodyOnList: 'Collez des adresses ci-dessus.',
  nobodyMatches: 'Aucun contact ne répond à sa condition pour l’instant.',
  remove: 'Retirer de la liste',
  removed: number =>
    count(number, { one: '# contact retiré de la liste', other: '# contacts retirés de la liste' }),
  paste: 'Ajouter à la liste',
  pasteHint: 'D’un tableau, d’un e-mail, d’une liste : chaque adresse du texte est trouvée.',
  createMissing: 'Créer les contacts qui n’existent pas encore',
  add: number => (number === 0 ? 'Ajouter' : `Ajouter ${addressesOf(number)}`),
  added: (added, created) =>
    created === 0
      ? `${contactsOf(added)} sur la liste.`
      : `${contactsOf(added)} sur la liste, dont ${count(created, { one: '# nouveau', other: '# nouveaux' })}.`,
  notFound: number =>
    count(number, {
      one: '# adresse n’est pas un contact :',
      other: '# adresses ne sont pas des contacts :',
    }),
  history: 'Historique',
  historyHint: 'Qui est arrivé et qui est parti, vérifié toutes les cinq minutes.',
  noHistory: 'Personne n’est encore arrivé ni parti.',
  changes: { entry: 'Arrivé', exit: 'Parti' },
  goneContact: 'un contact supprimé',
  newTitle: { DYNAMIC: 'Nouveau segment', STATIC: 'Nouvelle liste' },
  edit: name => `Modifier ${name}`,
  condition: 'Qui en fait partie',
  result: 'En ce moment',
  track: 'Suivre qui arrive et qui part',
  trackHint: 'Chaque arrivée et chaque départ est un événement, qui peut lancer un workflow.',
  discard: 'Abandonner les modifications',
}
