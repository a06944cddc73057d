// La boîte d’envoi, montrée comme une boîte de réception.
import type { Texts } from '..'

export const outbox: Texts['outbox'] = {
  title: 'Boîte d’envoi',
  hint: 'Aucun transport n’est configuré : les e-mails restent sur ce serveur. Voici ce que verraient les destinataires.',
  empty: 'Pas encore d’e-mails',
  emptyHint:
    'Les e-mails envoyés s’affichent ici, ainsi que les tests, les invitations et les e-mails du système.',
  from: from => `De ${from}`,
  to: to => `À ${to}`,
  kinds: { TEST: 'Test', INVITATION: 'Invitation', NOTICE: 'Avis', ACCOUNT: 'Compte' },
  parts: { html: 'E-mail', text: 'Texte' },
}
