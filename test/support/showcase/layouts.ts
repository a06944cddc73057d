// What stands around the mails of the company, and a template that is written in blocks for it.
import { button, heading, mail, paragraph } from '../../../src/dashboard/editor/mail/build'
import { renderMail } from '../../../src/dashboard/editor/mail/render'
import { starterLayout } from '../../../src/dashboard/pages/layouts/starter'
import type { Story } from './story'
import { sender } from './words'

export async function makeLayout({ call, projectId }: Story): Promise<void> {
  const { body: brand } = await call('GET', `/projects/${projectId}/brand`)
  const frame = starterLayout(brand, {
    unsubscribeUrl: 'Unsubscribe',
    manageUrl: 'Email preferences',
    browserUrl: 'View in browser',
  })
  const { body: layout } = await call('POST', '/layouts', {
    name: 'Fernway house style',
    ...{ body: renderMail(frame), editor: { kind: 'blocks', document: frame } },
  })
  const document = mail('The first weekend is yours', [
    heading('The season is open, {{firstName ?? "friend"}}'),
    paragraph('The boards are **back in the water**, and the first weekend is yours.'),
    button('Book a board', 'https://fernway.example/season'),
  ])
  await call('POST', '/templates', {
    ...{ name: 'Season opening', subject: 'The season is open', type: 'MARKETING', ...sender },
    ...{ body: renderMail(document), editor: { kind: 'blocks', document }, layoutId: layout.id },
  })
}
