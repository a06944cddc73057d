// Templates: all of them, and one.
import { count } from './numbers'

export const templates = {
  title: 'Templates',
  total: (number: number) => count(number, { one: '# template', other: '# templates' }),
  create: 'New template',
  beginHint: 'Start from an example or an empty email.',
  anyType: 'All types',
  empty: 'No templates yet',
  emptyHint: 'A template is a reusable email for your app, workflows, and campaigns.',
  nothing: 'No matching templates',
  nothingHint: 'Try a shorter search or another type.',
  deleteHint: (steps: number, forms: number) =>
    steps > 0
      ? `${count(steps, { one: '# workflow step uses', other: '# workflow steps use' })} this template, so it can’t be deleted yet.`
      : `Sent emails stay in the email log, but your app can’t send with this template anymore.${forms > 0 ? ` ${count(forms, { one: '# form will use', other: '# forms will use' })} the built-in confirmation email instead.` : ''} This can’t be undone.`,
}
