// Les clés à côté de la paire, et le remplacement de la paire.
import type { Texts } from '..'

export const keys: Texts['keys'] = {
  title: 'Clés pour une partie du travail',
  hint: 'Chacune avec un nom, pour un programme : elle donne peu de droits et se révoque séparément.',
  empty: 'Pas encore d’autres clés',
  emptyHint:
    'Créez-en une pour chaque programme qui envoie ou qui lit : vous pourrez la retirer sans toucher aux autres.',
  make: 'Créer une clé',
  makeHint: 'Elle est affichée une seule fois, à sa création.',
  nameHint: 'Le programme qui s’en sert, par exemple « Boutique ».',
  scopes: 'Ce qu’elle peut faire',
  scopeNames: { send: 'Envoyer', track: 'Suivre', read: 'Lire', write: 'Écrire' },
  scopeHints: {
    send: 'Des e-mails par l’API et par SMTP',
    track: 'Enregistrer des événements, comme la clé publique',
    read: 'Voir les contacts, les messages, les campagnes et les chiffres',
    write: 'Modifier les contacts, les modèles, les campagnes et les workflows, sans envoyer',
  },
  domains: 'Seulement depuis ces domaines (aucun choisi : tous ceux du projet)',
  life: 'Valable',
  lives: { never: 'jusqu’à sa révocation', '30': '30 jours', '90': '90 jours', '365': 'un an' },
  secretWords: {
    title: 'Votre nouvelle clé',
    hint: 'Elle n’est affichée que cette fois : copiez-la maintenant dans votre programme. Seule son empreinte est conservée.',
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
      'Elle n’est aussitôt plus valable : un programme qui s’en sert encore est refusé (401). Les autres clés restent telles quelles.',
  }),
  revoked: name => `${name} a été révoquée.`,
  rotation: {
    action: 'Remplacer les deux clés',
    question: 'Remplacer les deux clés ?',
    overlap: 'Les anciennes clés',
    overlaps: {
      '0': 'ne sont aussitôt plus valables',
      '1': 'restent valables une heure',
      '24': 'restent valables un jour',
      '168': 'restent valables une semaine',
      '720': 'restent valables 30 jours',
    },
    atOnce:
      'L’ancienne clé secrète et l’ancienne clé publique ne sont aussitôt plus valables. Les programmes, pages et applications qui s’en servent sont refusés (401) jusqu’à recevoir les nouvelles : entre-temps, ils n’envoient aucun e-mail et n’enregistrent aucun événement.',
    later:
      'Mettez les nouvelles clés dans vos programmes l’un après l’autre : entre-temps, les anciennes restent valables. Elles figurent dans la liste ci-dessous, avec leur dernière utilisation, et peuvent y être révoquées avant terme.',
    done: 'Les clés ont été remplacées. Mettez les nouvelles dans vos programmes.',
  },
}
