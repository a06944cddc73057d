// Der Postausgang, gezeigt wie ein Posteingang.
import type { Texts } from '..'

export const outbox: Texts['outbox'] = {
  title: 'Postausgang',
  hint: 'Es ist kein Versandweg eingerichtet. E-Mails bleiben auf diesem Server. So würden Empfänger sie sehen.',
  empty: 'Noch keine E-Mails',
  emptyHint: 'Hier erscheinen gesendete E-Mails, Test-E-Mails, Einladungen und System-E-Mails.',
  from: from => `Von ${from}`,
  to: to => `An ${to}`,
  kinds: { TEST: 'Test', INVITATION: 'Einladung', NOTICE: 'Hinweis', ACCOUNT: 'Konto' },
  parts: { html: 'E-Mail', text: 'Text' },
}
