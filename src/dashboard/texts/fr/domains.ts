// Les domaines d’envoi et leurs enregistrements DNS.
import type { Texts } from '..'
import { formed } from './numbers'

const otherValue = 'Une autre valeur se trouve sous ce nom. Remplacez-la.'

export const domains: Texts['domains'] = {
  title: 'Domaines',
  hint: 'Les e-mails ne partent que des domaines dont vous avez prouvé qu’ils sont à vous.',
  add: 'Ajouter un domaine',
  name: 'Domaine',
  nameHint: 'Ce qui suit le @ de votre expéditeur. Un sous-domaine garde sa réputation à l’écart du reste.',
  empty: 'Pas encore de domaine',
  emptyHint: 'Ajoutez le domaine d’où viennent vos e-mails et publiez pour lui quelques enregistrements DNS.',
  adminsOnly: 'Les admins et le propriétaire du projet ajoutent et retirent les domaines.',
  sandbox:
    'Un nom pour essayer : il est valable tant que les e-mails restent dans la boîte d’envoi, et n’a besoin d’aucun enregistrement.',
  sandboxNote: 'Pour essayer',
  recordsThere: (there, all) => `${there} enregistrements trouvés sur ${all}`,
  states: {
    verified: 'Vérifié',
    advised: 'Vérifié',
    waiting: 'En attente du DNS',
    wrong: 'Enregistrement erroné',
  },
  advice: {
    verified: 'Tous les enregistrements sont là. Il ne reste rien à faire.',
    advised:
      'Vous pouvez envoyer. Publiez aussi les enregistrements conseillés, pour que plus d’e-mails arrivent dans la boîte de réception.',
    waiting:
      'Publiez les enregistrements ci-dessous là où vous gérez le DNS de ce domaine. Tant que cette page est ouverte, ils sont recherchés à intervalles de quelques secondes ; il faut parfois des minutes, et chez certains fournisseurs des heures, pour qu’ils soient visibles.',
    wrong:
      'Sous l’un des noms se trouve autre chose que l’enregistrement attendu. Remplacez-le par celui ci-dessous.',
  },
  notChecked: 'Non vérifié',
  recordStates: { verified: 'Trouvé', pending: 'Pas encore là', failed: 'Autre chose s’y trouve' },
  required: 'Requis',
  requiredHint: 'Les e-mails partent de ce domaine dès que ceux-ci sont trouvés.',
  advised: 'Conseillés',
  advisedHint: 'Les grands fournisseurs de messagerie les attendent de qui écrit à beaucoup de monde.',
  record: {},
  purposes: {
    dkim: {
      title: 'Signature (DKIM)',
      hint: 'Montre aux destinataires qu’un e-mail vient de vous et n’a pas été modifié en route.',
      failed: otherValue,
    },
    spf: {
      title: 'Serveurs (SPF)',
      hint: 'Nomme les serveurs qui envoient pour vous. Si vous avez déjà un tel enregistrement, complétez-le.',
      failed:
        'Il y en a plusieurs, et les destinataires ne se fient alors à aucun. Réunissez-les en un seul.',
    },
    dmarc: {
      title: 'Politique (DMARC)',
      hint: 'Dit ce que deviennent les e-mails qui prétendent seulement venir de vous. Commencez par p=none, soyez plus strict ensuite.',
      failed: 'Il y en a plusieurs, et les destinataires n’en suivent alors aucun. Gardez-en un.',
    },
    'return-path': {
      title: 'Chemin de retour',
      hint: 'Où vont les rapports sur les e-mails non remis.',
      failed: otherValue,
    },
    inbound: {
      title: 'E-mails entrants',
      hint: 'Amène ici les e-mails adressés à ce domaine.',
      failed: otherValue,
    },
  },
  health: {
    title: 'Ce qu’en pensent les destinataires',
    hint: 'Comment d’autres serveurs jugent vos e-mails, d’après l’état actuel du DNS.',
    topics: {
      spf: 'Serveurs (SPF)',
      dkim: 'Signature (DKIM)',
      dmarc: 'Politique (DMARC)',
      'reverse-dns': 'Nom de l’adresse',
    },
    levels: { ok: 'En ordre', warn: 'Conseil', fail: 'Erreur' },
    publish: (type, name) => `À publier comme ${type} de ${name} :`,
    codes: {
      'spf.covers': 'SPF autorise les serveurs d’où partent vos e-mails : {hosts}.',
      'spf.provider': 'L’enveloppe de vos e-mails est au nom de {domain}, dont le SPF compte.',
      'spf.unchecked':
        'Il y a un seul enregistrement SPF, et il est lisible. D’où partent vos e-mails n’est pas connu ici.',
      'spf.missing': 'Il n’y a pas d’enregistrement SPF.',
      'spf.several':
        'Il y a plus d’un enregistrement SPF, et les destinataires ne se fient à aucun. Réunissez-les en un seul.',
      'spf.notCovered': 'SPF n’autorise pas les serveurs d’où partent vos e-mails : {hosts}.',
      'spf.open': 'SPF laisse tout le monde envoyer en votre nom.',
      'spf.lookups':
        'L’enregistrement SPF demande plus de dix requêtes, et les destinataires renoncent. Retirez ce qui n’envoie plus.',
      'spf.invalid':
        'L’enregistrement SPF n’est pas valable, et les destinataires l’ignorent : une partie, ou ce qu’il inclut, ne peut pas être évaluée.',
      'spf.unknown': 'Aucun serveur de noms n’a répondu au sujet de SPF.',
      'dkim.strong': 'La clé de {name} est forte.',
      'dkim.short': 'La clé de {name} a {bits} bits ; 2048 sont d’usage.',
      'dkim.weak': 'La clé de {name} a {bits} bits, et les destinataires l’ignorent.',
      'dkim.missing': 'Il n’y a pas de clé sous {name}.',
      'dkim.unreadable': 'Ce qui figure sous {name} n’est pas une clé.',
      'dkim.unknown': 'Aucun serveur de noms n’a répondu au sujet de {name}.',
      'dkim.byRelay':
        'Le relais signe les messages de ce domaine. Envoyez-vous-en un pour vérifier qu’il le fait.',
      'dmarc.aligned':
        'L’enveloppe et la signature sont au nom du domaine, comme le demande la politique (p={policy}).',
      'dmarc.byDkim':
        'La signature est au nom du domaine, comme le demande la politique (p={policy}) ; l’enveloppe, de {envelope}, ne l’est pas.',
      'dmarc.missing': 'Il n’y a pas d’enregistrement DMARC.',
      'dmarc.several':
        'Il y a plus d’un enregistrement DMARC, et les destinataires n’en suivent aucun. Gardez-en un.',
      'dmarc.invalid': 'L’enregistrement DMARC n’a pas de politique.',
      'dmarc.unknown': 'Aucun serveur de noms n’a répondu au sujet de DMARC.',
      'reverse.confirmed': '{address} s’appelle {name}, et ce nom y ramène.',
      'reverse.missing': '{address} n’a pas de nom : son propriétaire doit publier un enregistrement PTR.',
      'reverse.other': '{address} s’appelle {name}, mais ce nom a une autre adresse.',
      'reverse.unknown': 'Aucun serveur de noms n’a répondu au sujet de {address}.',
    },
  },
  key: {
    title: 'Clé de signature',
    hint: 'La clé derrière l’enregistrement DKIM. Beaucoup la remplacent une ou deux fois par an, et aussitôt qu’elle a pu être divulguée.',
    signs: (selector: string) => `Les messages sont signés avec la clé ${selector}.`,
    next: (selector: string) => `Nouvelle clé ${selector}`,
    nextHint:
      'Publiez cet enregistrement à côté de l’ancien. Dès qu’il est trouvé, la nouvelle clé signe ; d’ici là, c’est l’ancienne.',
    stays: (selector: string, name: string) =>
      `La clé ${selector} a été remplacée. Laissez son enregistrement ${name} en place jusqu’à ce que tout ce qu’elle a signé soit arrivé :`,
    removable: (selector: string, name: string) =>
      `La clé ${selector} a été remplacée. Son enregistrement ${name} peut maintenant être retiré.`,
    replace: 'Remplacer la clé',
    replaceTitle: (name: string) => `Remplacer la clé de ${name} ?`,
    replaceHint:
      'Un deuxième enregistrement DNS à publier vous sera donné. Rien ne change pour vos messages tant qu’il n’est pas trouvé.',
    giveUp: 'Garder l’ancienne clé',
    byRelay: 'Le relais signe les messages de ce domaine ; ils partent d’ici sans signature.',
    letRelay: 'Laisser le relais signer',
    letRelayTitle: (name: string) => `Laisser le relais signer les messages de ${name} ?`,
    letRelayHint:
      'Pour un relais qui signe avec sa propre clé. S’il ne le fait pas, les destinataires feront moins confiance à vos messages. L’enregistrement de la clé d’ici doit rester : il prouve que le domaine est à vous.',
    signHere: 'Signer de nouveau ici',
  },
  warmUp: {
    title: 'Montée en charge',
    start: 'Commencer une montée en charge',
    hint: 'Un nouveau domaine inspire plus de confiance s’il grandit peu à peu. Ce qui dépasse la quantité d’un jour attend le lendemain ; les e-mails transactionnels n’attendent jamais.',
    firstDay: 'Messages le premier jour',
    factor: 'Combien de fois plus chaque jour suivant',
    factorHint: 'De 1,1 à 10. Un jour où peu de messages partent ne compte pas.',
    target: 'Jusqu’à ce que tant puissent partir en un jour',
    change: 'Modifier',
    plan: (firstDay: number, factor: number, target: number) =>
      `${formed(firstDay)} messages le premier jour, ${formed(factor)} fois plus chaque jour suivant, jusqu’à ${formed(target)}.`,
    reached: (target: number, day: string) =>
      `Si assez de messages partent chaque jour, ${formed(target)} pourront partir le ${day}, et il n’y aura plus de limite ensuite.`,
    nothingYet: 'Rien n’est encore parti. Le premier jour commence avec le premier message.',
    day: (day: string, sent: number, allowance: number) =>
      `${day} : ${formed(sent)} sur ${formed(allowance)}`,
    stop: 'Arrêter',
    stopTitle: (name: string) => `Arrêter la montée en charge de ${name} ?`,
    stopHint:
      'Ce que des campagnes ont en attente part en quelques minutes, quelle qu’en soit la quantité. Les jours passés sont oubliés.',
  },
  zoneFile: 'Fichier de zone',
  verifyNow: 'Vérifier maintenant',
  outcomes: {
    Success: 'Le domaine est vérifié.',
    Pending: 'Tous les enregistrements requis ne sont pas encore là.',
    Failed: 'Autre chose se trouve à la place d’un enregistrement requis.',
    TemporaryFailure: 'Aucun serveur de noms n’a répondu. Rien n’a changé.',
  },
  remove: 'Retirer',
  removed: name => `${name} a été retiré.`,
  removeHint:
    'Plus rien ne peut en partir, dans ce projet, tant qu’il n’est pas ajouté et vérifié de nouveau. Les e-mails déjà partis ne changent pas.',
}
