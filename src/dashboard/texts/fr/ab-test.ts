// A/B tests of campaigns.
import type { Texts } from '..'
import { contactsOf, formed } from './numbers'

export const abTest: Texts['campaigns']['abTest'] = {
  title: 'Test A/B',
  use: 'Essayer d’abord des variantes sur une partie des destinataires',
  hint: 'La variante A est le message tel qu’il est. Ce qu’une variante laisse vide est comme dans A.',
  variant: (name: string) => `Variante ${name}`,
  subject: 'Objet',
  fromName: 'Nom de l’expéditeur',
  content: 'Contenu',
  asA: 'Comme dans A',
  own: 'Le sien, tel qu’il est',
  ofTemplate: (name: string) => `Du modèle ${name}`,
  add: 'Une autre variante',
  remove: (name: string) => `Retirer la variante ${name}`,
  share: 'Pourcentage des destinataires',
  testGroup: (tested, all, isExact) => `${isExact ? '' : 'Environ '}${formed(tested)} sur ${contactsOf(all)}`,
  afterHours: 'Heures avant la décision',
  metric: 'La meilleure a plus',
  metrics: { CLICKS: 'de clics', OPENS: 'd’ouvertures' },
  confidence: 'Certitude requise, pour cent',
  otherwise: 'Si aucune ne l’atteint',
  fallbacks: { A: 'les autres reçoivent A', WAIT: 'ils attendent que quelqu’un choisisse' },
  best: (name: string, likely: string, ofMany: boolean) =>
    `${name} est ${ofMany ? 'la meilleure' : 'meilleure'} avec une probabilité de ${likely}.`,
  trying: 'Les variantes sont en cours d’essai sur une partie des destinataires.',
  until: (moment: string) => `Les autres reçoivent la leur après le ${moment}.`,
  undecided: (wanted: string) => `Aucune n’atteint ${wanted} : choisissez celle que les autres reçoivent.`,
  won: (name: string) => `${name} a gagné, et les autres la reçoivent.`,
  chosen: (name: string) => `${name} a été choisie, et les autres la reçoivent.`,
  noneWon: 'Aucune n’a gagné, et les autres reçoivent A.',
  named: (name: string, words: string) => `${name} : ${words}`,
  opened: (people: string, all: string) => `${people} sur ${all} l’ont ouvert`,
  clicked: (people: string, all: string) => `${people} sur ${all} ont cliqué`,
  likely: (percent: string, ofMany: boolean) =>
    `${percent} de chances d’être ${ofMany ? 'la meilleure' : 'meilleure'}`,
  unsubscribed: (people: string) => `${people} désabonnés`,
  column: 'Variante',
  anyVariant: 'Toutes les variantes',
  choose: (name: string) => `Donner ${name} aux autres`,
  chooseHint:
    'Tous ceux qui n’ont encore rien reçu recevront cette variante à partir de maintenant. C’est définitif.',
}
