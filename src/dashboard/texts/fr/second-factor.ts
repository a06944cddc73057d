// Le second facteur de son propre compte.
import type { Texts } from '..'
import { count } from './numbers'

export const secondFactor: Texts['secondFactor'] = {
  title: 'Authentification à deux facteurs',
  hint: 'Après le mot de passe, vous saisissez un code d’une application d’authentification.',
  since: date => `depuis le ${date}`,
  left: codes => count(codes, { one: '# code de secours restant', other: '# codes de secours restants' }),
  few: 'Créez bientôt de nouveaux codes',
  setUp: 'Configurer l’authentification à deux facteurs',
  passwordHint: 'Saisissez votre mot de passe pour confirmer votre identité.',
  goOn: 'Continuer',
  scanHint: 'Scannez le QR code avec votre application d’authentification, puis saisissez le code affiché.',
  qr: 'QR code pour l’application d’authentification',
  typeHint: 'Impossible de scanner ? Saisissez cette clé :',
  firstCode: 'Code de l’application',
  codes: 'Vos codes de secours',
  codesHint:
    'Un code de secours permet de se connecter en cas de perte de l’appareil. Chacun sert une fois. Conservez-les maintenant : ils ne seront plus affichés.',
  kept: 'Je les ai conservés',
  renew: 'Créer de nouveaux codes de secours',
  renewHint: 'Vos codes actuels ne fonctionneront plus.',
  remove: 'Désactiver l’authentification à deux facteurs',
  removeHint: 'Le mot de passe suffira pour se connecter.',
  removed: 'Authentification à deux facteurs désactivée',
  rule: {
    title: 'Authentification à deux facteurs des membres',
    hint: 'Si elle est exigée, les membres qui se connectent par mot de passe perdent l’accès à ce projet jusqu’à ce qu’ils l’aient configurée. Les clés d’API restent valables, et les membres qui se connectent par un fournisseur ne sont pas concernés.',
    required: 'Exigée',
    optional: 'Facultative',
    lacking: members =>
      members === 0
        ? 'Tous les membres concernés l’ont configurée.'
        : count(members, {
            one: '# membre ne l’a pas encore configurée.',
            other: '# membres ne l’ont pas encore configurée.',
          }),
    require: 'Exiger',
    question: 'Exiger l’authentification à deux facteurs ?',
    consequence: members =>
      members === 0
        ? 'Personne ne perd l’accès maintenant. Les nouveaux membres devront la configurer.'
        : count(members, {
            one: '# membre perd l’accès au projet jusqu’à ce qu’il l’ait configurée.',
            other: '# membres perdent l’accès au projet jusqu’à ce qu’ils l’aient configurée.',
          }),
    drop: 'Rendre facultative',
    ownerOnly: 'Seul le propriétaire peut modifier ceci.',
    ownFirst: 'Configurez-la d’abord pour votre propre compte.',
    states: {
      ON: 'Authentification à deux facteurs',
      OFF: 'Mot de passe seul',
      PROVIDER: 'Connexion par un fournisseur',
    },
  },
  missing: {
    title: 'Authentification à deux facteurs requise',
    hint: project =>
      `${project} exige l’authentification à deux facteurs. Configurez-la avec une application d’authentification pour retrouver l’accès.`,
  },
}
