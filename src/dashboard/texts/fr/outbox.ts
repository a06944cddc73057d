// La boîte d’envoi, montrée comme une boîte de réception.
import type { Texts } from '..'

export const outbox: Texts['outbox'] = {
  title: 'Boîte d’envoi',
  hint: 'Aucun moyen d’envoi n’est configuré : les e-mails restent sur cette machine. Voici ce que verraient les lecteurs.',
  empty: 'Pas encore d’e-mails',
  emptyHint: 'Ce que vous envoyez apparaît ici aussitôt.',
  from: from => `De ${from}`,
  to: to => `À ${to}`,
  kinds: { TEST: 'Essai', INVITATION: 'Invitation', NOTICE: 'Avis', ACCOUNT: 'Compte' },
  parts: { html: 'E-mail', text: 'Texte' },
}
