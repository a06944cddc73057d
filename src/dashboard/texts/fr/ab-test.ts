// Les tests A/B des campagnes.
import type { Texts } from '..'
import { contactsOf, formed } from './numbers'

export const abTest: Texts['campaigns']['abTest'] = {
  title: 'Test A/B',
  use: 'Faire un test A/B',
  hint: 'La variante A est cet e-mail. Les champs laissés vides dans une variante sont ceux de A.',
  variant: (name: string) => `Variante ${name}`,
  subject: 'Objet',
  fromName: 'Nom d’expéditeur',
  content: 'Contenu',
  asA: 'Comme dans A',
  own: 'Garder son propre contenu',
  ofTemplate: (name: string) => `Du modèle ${name}`,
  add: 'Ajouter une variante',
  remove: (name: string) => `Retirer la variante ${name}`,
  share: 'Groupe de test (%)',
  testGroup: (tested, all, isExact) => `${isExact ? '' : 'Environ '}${formed(tested)} sur ${contactsOf(all)}`,
  afterHours: 'Durée du test (heures)',
  metric: 'Critère de choix',
  metrics: { CLICKS: 'clics', OPENS: 'ouvertures' },
  confidence: 'Certitude requise (%)',
  otherwise: 'S’il n’y a pas de gagnante',
  fallbacks: { A: 'Envoyer la variante A', WAIT: 'Attendre mon choix' },
  best: (name: string, likely: string, ofMany: boolean) =>
    `La variante ${name} est ${ofMany ? 'la meilleure' : 'meilleure'} avec une probabilité de ${likely}.`,
  trying: 'Le groupe de test reçoit les variantes.',
  until: (moment: string) => `Tous les autres reçoivent la gagnante après le ${moment}.`,
  undecided: (wanted: string) => `Aucune variante n’a atteint une certitude de ${wanted}. Choisissez-en une.`,
  won: (name: string) => `La variante ${name} a gagné. Tous les autres la reçoivent.`,
  chosen: (name: string) => `La variante ${name} a été choisie. Tous les autres la reçoivent.`,
  noneWon: 'Aucune variante n’a gagné. Tous les autres reçoivent la variante A.',
  named: (name: string, words: string) => `${name} : ${words}`,
  opened: (people: string, all: string) => `${people} sur ${all} l’ont ouvert`,
  clicked: (people: string, all: string) => `${people} sur ${all} ont cliqué`,
  likely: (percent: string, ofMany: boolean) =>
    `${percent} de chances d’être ${ofMany ? 'la meilleure' : 'meilleure'}`,
  unsubscribed: (people: string) => `${people} désabonnés`,
  column: 'Variante',
  anyVariant: 'Toutes les variantes',
  choose: (name: string) => `Envoyer la variante ${name} à tous les autres`,
  chooseHint: 'Tous ceux à qui aucune variante n’a été envoyée reçoivent celle-ci. C’est définitif.',
}
