// Le compte de la personne connectée.
import type { Texts } from '..'

export const profile: Texts['profile'] = {
  title: 'Votre compte',
  account: 'Compte',
  signInBy: 'Connexion',
  signInMethods: {
    PASSWORD: 'Mot de passe',
    GITHUB_OAUTH: 'GitHub',
    GOOGLE_OAUTH: 'Google',
    OIDC: 'Authentification unique',
  },
  unproved: 'Adresse non confirmée',
  unprovedHint: 'Suivez le lien de l’e-mail qui lui a été envoyé.',
  sendLink: 'Renvoyer le lien',
  linkSent: 'Un lien est en route vers votre adresse.',
  passwordHint: 'Un nouveau met fin à toutes les autres sessions.',
  currentPassword: 'Mot de passe actuel',
  newPassword: 'Nouveau mot de passe',
  changePassword: 'Changer le mot de passe',
  passwordChanged: 'Le mot de passe a été changé, et toutes les autres sessions sont terminées.',
  looksHint: 'Conservée dans ce navigateur.',
  sessions: 'Sessions',
  sessionsHint:
    'Là où vous êtes connecté. Un téléphone perdu, ou un navigateur qui n’est pas le vôtre ? Terminez la session.',
  thisOne: 'Celle-ci',
  unknownAgent: 'Programme inconnu',
  signedInAt: when => `connexion : ${when}`,
  seen: ago => `vue ${ago}`,
  end: 'Terminer',
  endQuestion: 'Terminer cette session ?',
  endHint: 'Il faudra s’y connecter de nouveau.',
  sessionEnded: 'La session est terminée.',
  endOthers: 'Terminer toutes les autres',
  othersQuestion: 'Terminer toutes les autres sessions ?',
  othersHint: 'Partout sauf ici, il faudra se connecter de nouveau.',
  othersEnded: 'Toutes les autres sessions sont terminées.',
  signOutEverywhere: 'Se déconnecter partout',
  signOutQuestion: 'Se déconnecter partout ?',
  signOutHint:
    'Toutes les sessions de votre compte prennent fin, celle-ci aussi. Vous vous reconnectez ensuite comme d’habitude.',
}
