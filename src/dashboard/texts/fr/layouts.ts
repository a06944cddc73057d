// Les mises en page : ce qui entoure les e-mails d’un projet.
import type { Texts } from '..'
import { count } from './numbers'

export const layouts: Texts['layouts'] = {
  title: 'Mises en page',
  total: number => count(number, { one: '# mise en page', other: '# mises en page' }),
  create: 'Nouvelle mise en page',
  description:
    'En-tête, pied de page et adresse postale, faits une fois et utilisés par de nombreux e-mails.',
  empty: 'Pas encore de mises en page',
  emptyHint:
    'Une mise en page est ce que vos e-mails ont en commun. Changez-la une fois, et tous les modèles et brouillons qui l’utilisent changent.',
  changed: 'Modifiée',
  firstName: 'Style maison',
  source: 'HTML de la mise en page',
  placeHint: 'Le texte de chaque e-mail prend la place de {{content}}.',
  unused: 'Rien ne l’utilise encore. Choisissez-la dans un modèle ou une campagne.',
  uses: (templates, campaigns) => {
    const users = [
      templates > 0 && count(templates, { one: '# modèle', other: '# modèles' }),
      campaigns > 0 && count(campaigns, { one: '# campagne non envoyée', other: '# campagnes non envoyées' }),
    ]
    return `Utilisée par ${users.filter(Boolean).join(' et ')}. Ce que vous enregistrez ici s’y voit partout.`
  },
  deleteHint: uses =>
    uses > 0
      ? `${count(uses, { one: '# modèle ou campagne l’utilise', other: '# modèles et campagnes l’utilisent' })} : elle ne peut pas encore être supprimée.`
      : 'Rien ne l’utilise. Ce qui a été envoyé avec elle reste tel quel.',
  sampleHeading: 'Un titre de l’e-mail',
  sampleText:
    'Ici se trouve ce que vous écrivez dans un modèle ou une campagne ; tout ce qui l’entoure vient de la mise en page.',
  sampleMore: 'Des dates, des prix, une image : ce dont parle l’e-mail.',
  sampleButton: 'Un bouton',
  toSource: 'Modifier en HTML',
  toSourceHint:
    'La mise en page devient du HTML, qui ne redevient pas des blocs. Tant que cette page est ouverte, « Annuler » les rétablit.',
  sampleFrom: 'Votre entreprise',
}
