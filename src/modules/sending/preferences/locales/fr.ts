// French.
import type { Locale } from './en'

export const fr: Locale = {
  code: 'fr',
  footer: 'Vous recevez cet e-mail parce que vous avez accepté de recevoir des e-mails de {projectName}.',
  unsubscribe: {
    title: 'Se désabonner',
    question: 'Voulez-vous ne plus recevoir d’e-mails de {projectName} à l’adresse {email} ?',
    button: 'Se désabonner',
    manageLink: 'Gérer plutôt votre abonnement',
    doneTitle: 'Vous êtes désabonné',
    done: 'Vous ne recevrez plus de lettres d’information de {projectName} à l’adresse {email}.',
    changedMind: 'Vous avez changé d’avis ?',
    again: 'Se réabonner',
  },
  subscribe: {
    title: 'S’abonner',
    question: 'Voulez-vous recevoir des e-mails de {projectName} à l’adresse {email} ?',
    button: 'S’abonner',
    doneTitle: 'Vous êtes abonné',
    done: 'Vous recevrez des e-mails de {projectName} à l’adresse {email}.',
  },
  manage: {
    title: 'Gérer votre abonnement',
    description: 'Choisissez si vous recevez des e-mails de {projectName} à l’adresse {email}.',
    label: 'Votre abonnement',
    subscribed: 'Vous êtes abonné.',
    unsubscribed: 'Vous êtes désabonné.',
    paused: 'Les e-mails sont suspendus jusqu’au {date}.',
    subscribedNote: 'Votre choix est enregistré. Vous recevrez de nouveau des e-mails.',
    unsubscribedNote: 'Votre choix est enregistré. Vous ne recevrez plus de lettres d’information.',
    pausedNote: 'Votre choix est enregistré. Vous ne recevrez pas de lettres d’information jusqu’au {date}.',
    unsubscribeLink: 'Ouvrir la page de désabonnement',
    subscribeLink: 'Ouvrir la page d’abonnement',
    disclaimer:
      'Il s’agit ici des lettres d’information et des offres. Les messages concernant votre compte ou vos commandes, comme les reçus et la réinitialisation du mot de passe, peuvent toujours vous être envoyés.',
  },
  topics: {
    title: 'Ce que vous recevez',
    question: 'Souhaitez-vous ne plus recevoir « {topic} » de {projectName} à l’adresse {email} ?',
    everything: 'Se désabonner de tout',
  },
  snooze: {
    title: 'Faire plutôt une pause',
    changeTitle: 'Modifier la pause',
    label: 'Suspendre les e-mails pendant',
    button: 'Suspendre',
    resume: 'Recevoir de nouveau les e-mails',
  },
  forms: {
    email: 'Adresse e-mail',
    optional: 'facultatif',
    consent:
      'En vous abonnant, vous acceptez de recevoir des e-mails de {projectName}. Vous pouvez vous désabonner à tout moment.',
    step: {
      title: 'Encore une étape',
      text: 'Veuillez appuyer sur le bouton pour envoyer le formulaire.',
      button: 'Envoyer',
    },
    asked: {
      title: 'Consultez votre boîte de réception',
      text: 'Si l’adresse peut le recevoir, un e-mail contenant un lien est en route. Ouvrez le lien et confirmez : vous serez alors abonné. Si rien n’arrive, regardez dans les indésirables. Un seul e-mail de ce type est envoyé par jour.',
    },
    confirm: { title: 'Confirmez votre abonnement', button: 'Confirmer' },
    over: {
      title: 'Ce lien ne fonctionne plus',
      text: 'Il a déjà servi, a expiré ou a été remplacé par un e-mail plus récent. Veuillez remplir à nouveau le formulaire.',
    },
    closed: { title: 'Ce formulaire est fermé', text: 'Il n’est pas disponible pour le moment.' },
    faults: {
      email: 'Veuillez saisir une adresse e-mail valide.',
      refused: 'Nous ne pouvons pas envoyer d’e-mails à cette adresse. Veuillez en utiliser une autre.',
      fields: 'Veuillez vérifier les champs signalés.',
      tooMany: 'Trop de tentatives. Veuillez réessayer plus tard.',
    },
    mail: {
      subject: 'Veuillez confirmer votre abonnement à {projectName}',
      text: 'Quelqu’un, sans doute vous, a demandé à recevoir des e-mails de {projectName} à l’adresse {email}. Veuillez confirmer que vous les souhaitez.',
      until: 'Le lien fonctionne jusqu’au {date}.',
      ignore: 'Si ce n’était pas vous, ignorez cet e-mail. Vous ne recevrez rien d’autre.',
    },
  },
  privacy: {
    title: 'Vos données',
    offer:
      'Vous pouvez lire ce que {projectName} conserve ici à votre sujet, ou le faire effacer. Le lien arrive par e-mail à {email}, pour que personne d’autre ne le puisse.',
    button: 'M’envoyer le lien',
    asked:
      'Si {email} peut le recevoir, un e-mail avec le lien est en route. Un seul au plus est envoyé par jour.',
    mail: {
      subject: 'Vos données chez {projectName}',
      text: 'Quelqu’un, sans doute vous, a demandé ce que {projectName} conserve au sujet de {email}. Le lien y mène, ainsi qu’à l’effacement.',
      ignore: 'Si ce n’était pas vous, ignorez cet e-mail.',
    },
    read: 'Lire',
    save: 'Enregistrer dans un fichier (JSON)',
    erase: {
      title: 'Tout effacer',
      text: 'Ce qui est conservé ici au sujet de {email} est supprimé définitivement, et plus rien n’est envoyé à cette adresse. C’est irréversible.',
      sure: 'Oui, effacer',
      button: 'Effacer',
      doneTitle: 'Vos données sont en cours d’effacement',
      done: 'Il ne reste de vous qu’un code qui permet de reconnaître votre adresse, afin que plus rien ne lui soit envoyé.',
    },
    over: 'Il a expiré, ou les données sont déjà effacées. Les liens de nos e-mails mènent à un nouveau.',
    parts: {
      contact: 'Vous',
      fields: 'Champs',
      consent: 'Consentement',
      events: 'Événements',
      messages: 'Messages',
    },
    newest: 'Les {number} plus récents. Le fichier les contient tous.',
  },
  faults: {
    brokenTitle: 'Une erreur est survenue',
    broken: 'Veuillez réessayer dans quelques minutes.',
    testTitle: 'C’était un test',
    test: 'Ce lien vient d’un e-mail de test. Rien n’a été modifié.',
    invalidTitle: 'Ce lien n’est pas valable',
    invalid:
      'Il est peut-être incomplet, ou l’adresse a été supprimée. Veuillez ouvrir le lien exactement tel qu’il figure dans l’e-mail.',
    goneTitle: 'Plus disponible',
    gone: 'Le lien est correct, mais l’expéditeur utilise maintenant un autre système d’e-mails, et cette page n’est plus disponible.',
    choose: 'Veuillez choisir l’une des options.',
    notSubscribed: 'Seul un abonnement peut être suspendu. Veuillez d’abord vous abonner.',
  },
}
