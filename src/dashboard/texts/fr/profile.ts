// Le compte de la personne connectée.
import type { Texts } from '..'

export const profile: Texts['profile'] = {
  title: 'Votre compte',
  account: 'Compte',
  signInBy: 'Connexion',
  ways: { PASSWORD: 'Mot de passe', GITHUB_OAUTH: 'GitHub', GOOGLE_OAUTH: 'Google' },
  since: 'Depuis',
  unproved: 'Adresse non confirmée',
  unprovedHint: 'Suivez le lien de l’e-mail qui lui a été envoyé.',
  sendLink: 'Renvoyer le lien',
  linkSent: 'Un lien est en route vers votre adresse.',
  passwordHint: 'Un nouveau met fin à toutes les autres sessions.',
  currentPassword: 'Mot de passe actuel',
  newPassword: 'Nouveau mot de passe',
  changePassword: 'Changer le mot de passe',
  passwordChanged: 'Le mot de passe a été changé, et toutes les autres sessions sont terminées.',
  looks: 'Apparence',
  looksHint: 'Conservée dans ce navigateur.',
  sessions: 'Sessions',
  sessionsHint: 'Un téléphone perdu, ou un navigateur qui n’est pas le vôtre ? Terminez-les toutes.',
  signOutEverywhere: 'Se déconnecter partout',
  signOutQuestion: 'Se déconnecter partout ?',
  signOutHint:
    'Toutes les sessions de votre compte prennent fin, celle-ci aussi. Vous vous reconnectez ensuite comme d’habitude.',
}
