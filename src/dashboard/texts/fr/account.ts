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
  forgotten: 'Oublié ?',
  noAccount: 'Pas encore de compte ?',
  haveAccount: 'Vous avez déjà un compte ?',
  signUp: 'S’inscrire',
  signUpTitle: 'Créer un compte',
  makeAccount: 'Créer le compte',
  firstTitle: 'Bienvenue dans Waxwing',
  firstHint: 'Créez le premier compte. Ce que vous ferez ensuite lui appartiendra.',
  setupToken: 'Code d’installation',
  setupTokenHint: 'Le programme l’a affiché au démarrage, car il n’y a encore aucun compte.',
  closed:
    'Cette instance n’accepte pas de nouveaux comptes. Demandez une invitation à quelqu’un qui en a un.',
  forgottenTitle: 'Mot de passe oublié',
  forgottenHint: 'Nous vous envoyons un lien pour en choisir un nouveau.',
  sendLink: 'Envoyer le lien',
  linkSent: 'Consultez votre messagerie',
  linkSentHint: email => `Si ${email} a un compte avec mot de passe, un lien est en route.`,
  backToSignIn: 'Retour à la connexion',
  projectTitle: 'Nommez votre projet',
  projectHint:
    'Un projet a ses propres contacts, expéditeurs et clés : souvent un par produit ou par entreprise.',
  createProject: 'Créer le projet',
}
