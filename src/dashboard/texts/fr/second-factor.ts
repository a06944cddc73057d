// Le second facteur de son propre compte.
import type { Texts } from '..'
import { count } from './numbers'

export const secondFactor: Texts['secondFactor'] = {
  title: 'Second facteur',
  hint: 'En plus du mot de passe, la connexion demande un code d’une application d’authentification.',
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
  codes: 'Vos codes de secours',
  codesHint:
    'Pour le jour où vous perdrez l’application. Chacun sert une fois. Ils sont affichés maintenant et plus jamais ensuite.',
  kept: 'Je les ai conservés',
  renew: 'Créer de nouveaux codes de secours',
  renewHint: 'Ceux que vous avez ne fonctionneront plus.',
  remove: 'Désactiver',
  removeHint: 'La connexion ne demandera plus que le mot de passe.',
  removed: 'Le second facteur est désactivé.',
  rule: {
    title: 'Un second facteur pour tous',
    hint: 'Qui se connecte avec son seul mot de passe n’a plus accès à ce projet avant d’en avoir configuré un. Les clés continuent de fonctionner, et qui se connecte par un fournisseur n’est pas concerné.',
    required: 'Exigé',
    optional: 'Non exigé',
    lacking: members =>
      members === 0
        ? 'Tous ceux qui en ont besoin en ont un.'
        : count(members, {
            one: '# membre n’en a pas encore.',
            other: '# membres n’en ont pas encore.',
          }),
    require: 'L’exiger',
    question: 'Exiger un second facteur de tous les membres ?',
    consequence: members =>
      members === 0
        ? 'Personne n’est écarté maintenant. Ceux qui rejoindront le projet plus tard en auront besoin.'
        : count(members, {
            one: '# membre ne verra ni ne modifiera le projet avant d’en avoir configuré un.',
            other: '# membres ne verront ni ne modifieront le projet avant d’en avoir configuré un.',
          }),
    drop: 'Ne plus l’exiger',
    ownerOnly: 'Le propriétaire du projet peut modifier ceci.',
    ownFirst: 'Configurez d’abord le vôtre ; vous pourrez ensuite l’exiger des autres.',
    states: { ON: 'Second facteur', OFF: 'Mot de passe seul', PROVIDER: 'Connexion par un fournisseur' },
  },
  missing: {
    title: 'Ce projet demande un second facteur',
    hint: project =>
      `Le propriétaire de ${project} l’exige de tous les membres, et vous n’en avez pas encore. Il faut une minute et une application d’authentification ; ensuite, l’accès revient.`,
  },
}
