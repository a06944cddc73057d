// Ce que disent beaucoup de pages.
import type { Texts } from '..'

export const words: Texts['words'] = {
  appName: 'Waxwing',
  cancel: 'Annuler',
  close: 'Fermer',
  confirm: 'Confirmer',
  copied: 'Copié',
  copy: 'Copier',
  create: 'Créer',
  delete: 'Supprimer',
  edit: 'Modifier',
  export: 'Exporter',
  loading: 'Chargement',
  menu: 'Menu',
  more: 'Plus',
  none: 'Aucun',
  retry: 'Réessayer',
  save: 'Enregistrer',
  saved: 'Enregistré',
  search: 'Rechercher',
  skipToContent: 'Aller au contenu',
  typeToConfirm: word => `Saisissez ${word} pour confirmer`,
  optional: 'facultatif',
  showPassword: 'Afficher le mot de passe',
  hidePassword: 'Masquer le mot de passe',
}

export const errors: Texts['errors'] = {
  unknown: 'Une erreur est survenue.',
  network: 'Le serveur est injoignable.',
  networkHint: 'Vérifiez que votre connexion et Waxwing fonctionnent.',
  requestId: 'ID de la requête',
  pageFailed: 'Cette page n’a pas pu être affichée',
  notFound: 'Il n’y a rien ici',
  notFoundHint: 'L’adresse est peut-être erronée, ou ce qu’elle désigne a été supprimé.',
}

export const mailImages: Texts['mailImages'] = {
  blocked:
    'Les images distantes sont bloquées. Si vous les chargez, leurs serveurs sauront quand et où vous lisez cet e-mail.',
  load: 'Charger les images',
}

export const formats: Texts['formats'] = {
  never: 'jamais',
  now: 'à l’instant',
}

export const navigation: Texts['navigation'] = {
  label: 'Navigation principale',
  overview: 'Vue d’ensemble',
  projects: 'Projets',
  newProject: 'Nouveau projet',
  switchProject: 'Changer de projet',
  signOut: 'Se déconnecter',
  theme: 'Apparence',
  themes: { system: 'Comme le système', light: 'Clair', dark: 'Sombre' },
  language: 'Langue',
  openMenu: 'Ouvrir le menu',
  apiReference: 'Référence de l’API',
  guides: 'Guides (en anglais)',
  palette: 'Rechercher ou aller à',
  paletteHint: 'Où aller ?',
  paletteEmpty: 'Rien ne correspond.',
  pages: 'Pages',
  actions: 'Actions',
  kinds: {
    contact: 'Contact',
    campaign: 'Campagne',
    template: 'Modèle',
    layout: 'Mise en page',
    segment: 'Segment',
    form: 'Formulaire',
    workflow: 'Workflow',
  },
  does: { newCampaign: 'Nouvelle campagne', newTemplate: 'Nouveau modèle', newSegment: 'Nouveau segment' },
  shortcuts: {
    title: 'Clavier',
    palette: 'Rechercher, aller à une page, lancer une action',
    move: 'Monter et descendre dans une liste',
    choose: 'Choisir',
    close: 'Fermer ce qui est ouvert',
    help: 'Cette liste',
  },
}
