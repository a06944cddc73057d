// L'identité visuelle d'un projet.
import type { Texts } from '..'

export const brand: Texts['brand'] = {
  title: 'Marque',
  hint: 'Définie une fois pour le projet. Les e-mails, les mises en page et les pages s’y conforment ensuite.',
  names: {
    logo: 'Logo',
    logoWidth: 'Largeur du logo (px)',
    textColor: 'Texte',
    backgroundColor: 'Arrière-plan',
    paperColor: 'Papier',
    accentColor: 'Liens et boutons',
    font: 'Police du texte',
    headingFont: 'Police des titres',
    postalAddress: 'Adresse postale',
    socialLinks: 'Réseaux sociaux',
    footerText: 'Texte du pied de page',
  },
  logoHint: 'PNG, JPEG ou GIF, 10 Mo au plus. Sans logo, les e-mails affichent le nom du projet.',
  logoType: 'Utilisez un fichier PNG, JPEG ou GIF de 10 Mo au plus.',
  uploadLogo: 'Importer un logo',
  replaceLogo: 'Remplacer le logo',
  removeLogo: 'Supprimer le logo',
  smallLogo: width => `Utilisez une image d’au moins ${width} px de large pour un logo net.`,
  colors: 'Couleurs',
  contrast: (name, ratio) =>
    `${name} : le contraste avec le papier est de ${ratio}. À partir de 4,5, tout le monde peut lire.`,
  takeColor: color => `Utiliser ${color}`,
  fonts: 'Polices',
  footer: 'Pied de page',
  addressHint: 'Affichée au pied des e-mails. De nombreux pays l’exigent dans les e-mails commerciaux.',
  addressExample: 'Fernway GmbH, Lindenstraße 4, 10969 Berlin',
  footerHint: 'Par exemple, pourquoi on reçoit vos e-mails.',
  footerExample: 'Vous recevez cet e-mail car vous êtes abonné à notre newsletter.',
  addLink: 'Ajouter un lien',
  removeLink: name => `Supprimer ${name || 'le lien'}`,
  preview: 'Aperçu',
  unsaved: names =>
    names.length > 3
      ? `${names.length} modifications non enregistrées`
      : `Non enregistré : ${names.join(', ')}`,
  discard: 'Abandonner les modifications de la marque ?',
  discardHint: names => `Ces modifications ne sont pas enregistrées : ${names.join(', ')}.`,
  drop: 'Abandonner',
  save: 'Enregistrer les modifications',
}
