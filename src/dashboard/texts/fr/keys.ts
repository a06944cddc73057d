// Les clés à côté de la paire, et le remplacement de la paire.
import type { Texts } from '..'

export const keys: Texts['keys'] = {
  title: 'Clés d’API à droits limités',
  hint: 'Une clé par application, avec les seuls droits nécessaires. Chacune se révoque séparément.',
  empty: 'Pas encore de clés à droits limités',
  emptyHint: 'Créez-en une pour chaque application, pour pouvoir la révoquer sans toucher aux autres.',
  make: 'Créer une clé',
  makeHint: 'La clé n’est affichée qu’une fois.',
  nameHint: 'L’application qui s’en sert, par exemple « Boutique ».',
  scopes: 'Droits',
  scopeNames: { send: 'Envoyer', track: 'Enregistrer des événements', read: 'Lire', write: 'Écrire' },
  scopeHints: {
    send: 'Envoyer des e-mails par l’API et par SMTP',
    track: 'Enregistrer des événements, comme la clé publique',
    read: 'Lire les contacts, les e-mails, les campagnes et les statistiques',
    write: 'Modifier les contacts, les modèles, les campagnes et les workflows, mais pas envoyer',
  },
  domains: 'Domaines d’envoi (aucun choisi : tous)',
  life: 'Validité',
  lives: { never: 'jusqu’à sa révocation', '30': '30 jours', '90': '90 jours', '365': '1 an' },
  secretWords: {
    title: 'Votre nouvelle clé',
    hint: 'Copiez la clé maintenant. Elle ne sera plus affichée.',
    kept: 'Je l’ai conservée',
  },
  used: when => `dernière utilisation ${when}`,
  unused: 'jamais utilisée',
  until: date => `valable jusqu’au ${date}`,
  noEnd: 'sans expiration',
  expired: 'Expirée',
  from: domains => `Envoie depuis ${domains}`,
  former: { SECRET: 'Ancienne clé secrète', PUBLIC: 'Ancienne clé publique' },
  revoking: name => ({
    action: 'Révoquer',
    question: `Révoquer ${name} ?`,
    consequence:
      'La clé cesse immédiatement d’être valable. Les applications qui s’en servent encore reçoivent l’erreur 401. Les autres clés restent valables.',
  }),
  revoked: name => `${name} révoquée`,
  rotation: {
    action: 'Remplacer les deux clés',
    question: 'Remplacer la clé secrète et la clé publique ?',
    overlap: 'Anciennes clés',
    overlaps: {
      '0': 'cessent immédiatement d’être valables',
      '1': 'restent valables 1 heure',
      '24': 'restent valables 24 heures',
      '168': 'restent valables 7 jours',
      '720': 'restent valables 30 jours',
    },
    atOnce:
      'Les anciennes clés cessent immédiatement d’être valables. Les applications et pages web qui s’en servent reçoivent l’erreur 401 jusqu’à ce que vous leur donniez les nouvelles. Entre-temps, elles n’envoient pas d’e-mails et n’enregistrent pas d’événements.',
    later:
      'Profitez de ce délai pour donner les nouvelles clés à vos applications et pages web. Les anciennes figurent dans la liste ci-dessous avec leur dernière utilisation, et vous pouvez les y révoquer plus tôt.',
    done: 'Clés remplacées. Donnez les nouvelles à vos applications.',
  },
}
