// Le second facteur de son propre compte.
import type { Texts } from '..'
import { count } from './numbers'

export const secondFactor: Texts['secondFactor'] = {
  title: 'Second facteur',
  hint: 'En plus du mot de passe, la connexion demande un code d’une application d’authentification.',
  on: 'Activé',
  since: date => `depuis le ${date}`,
  left: codes => count(codes, { one: '# code de secours restant', other: '# codes de secours restants' }),
  few: 'Créez-en bientôt de nouveaux',
  setUp: 'Configurer un second facteur',
  passwordHint: 'D’abord votre mot de passe, pour que personne d’autre ne le fasse.',
  goOn: 'Continuer',
  scanHint: 'Scannez le code avec votre application, puis saisissez ce qu’elle affiche.',
  qr: 'Le secret sous forme de QR code',
  typeHint: 'Pas d’appareil photo ? Saisissez ce secret :',
  firstCode: 'Code de l’application',
  turnOn: 'Activer',
  codes: 'Vos codes de secours',
  codesHint:
    'Pour le jour où vous perdrez l’application. Chacun sert une fois. Ils sont affichés maintenant et plus jamais ensuite.',
  kept: 'Je les ai conservés',
  renew: 'Créer de nouveaux codes de secours',
  renewHint: 'Ceux que vous avez ne fonctionneront plus.',
  remove: 'Désactiver',
  removeHint: 'La connexion ne demandera plus que le mot de passe.',
  removed: 'Le second facteur est désactivé.',
}
