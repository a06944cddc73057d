// Templates: all of them, and one.
import { count } from './numbers'

export const templates = {
  title: 'Templates',
  total: (number: number) => count(number, { one: '# template', other: '# templates' }),
  create: 'New template',
  beginHint: 'Begin with a mail that is nearly right, or with an empty sheet.',
  anyType: 'Any kind',
  empty: 'No templates yet',
  emptyHint:
    'A template keeps a message that is sent again and again: by your program, a workflow or a campaign.',
  nothing: 'No template fits',
  nothingHint: 'Look for a shorter part of the name, or any kind.',
  deleteHint: (steps: number, forms: number) =>
    steps > 0
      ? `${count(steps, { one: '# step of a workflow sends', other: '# steps of workflows send' })} with it, so it cannot be deleted yet.`
      : `Messages that were sent with it stay in the ledger. Your program cannot send with it any more.${forms > 0 ? ` ${count(forms, { one: '# form mails its confirmation with it, and', other: '# forms mail their confirmation with it, and' })} will send a plain letter of ours instead.` : ''}`,
}
