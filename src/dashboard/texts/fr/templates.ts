// Les modèles : tous, et un seul.
import type { Texts } from '..'
import { count } from './numbers'

export const templates: Texts['templates'] = {
  title: 'Modèles',
  total: number => count(number, { one: '# modèle', other: '# modèles' }),
  create: 'Nouveau modèle',
  beginHint: 'Partez d’un e-mail qui convient presque, ou d’une feuille blanche.',
  anyType: 'Tous les types',
  empty: 'Pas encore de modèles',
  emptyHint:
    'Un modèle est un message envoyé de nombreuses fois : par votre programme, un workflow ou une campagne.',
  nothing: 'Aucun modèle ne correspond',
  nothingHint: 'Recherchez une partie plus courte du nom, ou tous les types.',
  deleteHint: (steps, forms) =>
    steps > 0
      ? `${count(steps, { one: '# étape d’un workflow l’envoie', other: '# étapes de workflows l’envoient' })} : il ne peut pas encore être supprimé.`
      : `Les messages déjà envoyés avec lui restent dans le registre. Votre programme ne peut plus s’en servir.${forms > 0 ? ` ${count(forms, { one: '# formulaire envoie sa confirmation avec lui ; elle sera remplacée', other: '# formulaires envoient leur confirmation avec lui ; elle sera remplacée' })} par une lettre simple de notre part.` : ''}`,
}
