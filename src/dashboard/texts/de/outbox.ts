// Der Postausgang, gezeigt wie ein Posteingang.
import type { Texts } from '..'

export const outbox: Texts['outbox'] = {
  title: 'Postausgang',
  hint: 'Kein Versandweg ist eingerichtet, also bleiben E-Mails auf diesem Rechner. So würden Leser sie sehen.',
  empty: 'Noch keine E-Mails',
  emptyHint: 'Was Sie senden, erscheint hier gleich.',
  from: from => `Von ${from}`,
  to: to => `An ${to}`,
  kinds: { TEST: 'Test', INVITATION: 'Einladung', NOTICE: 'Hinweis', ACCOUNT: 'Konto' },
  parts: { html: 'E-Mail', text: 'Text' },
}
