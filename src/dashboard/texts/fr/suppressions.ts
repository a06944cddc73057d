// Les adresses qui ne reçoivent plus rien.
import type { Texts } from '..'
import { addressesOf, count, formed } from './numbers'

const addedOf = (number: number): string =>
  count(number, { one: '# adresse ajoutée', other: '# adresses ajoutées' })

export const suppressions: Texts['suppressions'] = {
  title: 'Adresses bloquées',
  about: 'Les adresses qui ne reçoivent plus rien de ce projet, quel que soit le type d’e-mail.',
  anyReason: 'Toutes les raisons',
  reasons: {
    bounce: 'Bounce',
    complaint: 'Plainte',
    manual: 'Ajout manuel',
    repeated: 'Refusée plusieurs fois',
  },
  source: 'Origine',
  lift: 'Débloquer',
  liftTitle: email => `Écrire de nouveau à ${email}`,
  liftHint:
    'Les e-mails à cette adresse partent de nouveau. Son contact reste désabonné ; si l’adresse n’existe toujours pas, elle revient sur la liste au prochain bounce.',
  lifted: email => `${email} n’est plus sur la liste`,
  empty: 'Aucune adresse n’est bloquée',
  emptyHint:
    'Les adresses en erreur (bounces) et celles d’où vient une plainte sont ajoutées automatiquement.',
  nothing: 'Aucune adresse ne correspond',
  add: 'Ajouter des adresses',
  addHint: 'Chaque adresse du texte ou du fichier est trouvée ; le reste est ignoré.',
  file: 'Fichier',
  note: 'Note',
  addNumber: number => (number === 0 ? 'Ajouter' : `Ajouter ${addressesOf(number)}`),
  added: (added, existing) =>
    existing === 0 ? addedOf(added) : `${addedOf(added)}, ${formed(existing)} y étaient déjà`,
}
