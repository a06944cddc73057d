// Se connecter et s’inscrire, et là où mènent les liens des e-mails.
import type { Texts } from '..'

export const account: Texts['account'] = {
  passwordHint: '8 caractères au moins.',
  signIn: 'Se connecter',
  signInTitle: 'Connexion à Waxwing',
  signInWith: provider => `Continuer avec ${provider}`,
  codeTitle: 'Saisissez votre code',
  code: 'Code de sécurité',
  codeHint: 'Celui de votre application d’authentification, ou l’un de vos codes de secours.',
  startAgain: 'Recommencer',
  forgotten: 'Mot de passe oublié ?',
  noAccount: 'Pas encore de compte ?',
  haveAccount: 'Vous avez déjà un compte ?',
  signUp: 'S’inscrire',
  signUpTitle: 'Créer un compte',
  makeAccount: 'Créer le compte',
  firstTitle: 'Bienvenue dans Waxwing',
  firstHint: 'Créez le premier compte. Il devient l’exploitant de l’instance.',
  setupToken: 'Code d’installation',
  setupTokenHint: 'Affiché au démarrage du serveur tant qu’il n’y a aucun compte.',
  closed:
    'Cette instance n’accepte pas de nouveaux comptes. Demandez une invitation à un membre d’un projet.',
  forgottenTitle: 'Réinitialiser le mot de passe',
  forgottenHint: 'Vous recevrez par e-mail un lien pour choisir un nouveau mot de passe.',
  sendLink: 'Envoyer le lien',
  linkSent: 'Consultez votre messagerie',
  linkSentHint: email => `Si ${email} a un compte avec mot de passe, vous y recevrez un lien.`,
  backToSignIn: 'Retour à la connexion',
  projectTitle: 'Nommez votre projet',
  projectHint:
    'Un projet a ses propres contacts, expéditeurs et clés. La plupart des équipes en créent un par produit ou par marque.',
  createProject: 'Créer le projet',
}
