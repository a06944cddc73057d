// Layouts: the shared frame around the emails of a project.
import { count } from './numbers'

export const layouts = {
  title: 'Layouts',
  total: (number: number) => count(number, { one: '# layout', other: '# layouts' }),
  create: 'New layout',
  description: 'Header, footer, and postal address that your emails share.',
  empty: 'No layouts yet',
  emptyHint:
    'Create a layout once and use it in all emails. A change applies to every template and draft that uses it.',
  changed: 'Updated',
  firstName: 'Main layout',
  source: 'HTML of the layout',
  placeHint: 'The content of each email replaces {{content}}.',
  unused: 'Not in use yet. Choose this layout in a template or campaign.',
  uses: (templates: number, campaigns: number) => {
    const users = [
      templates > 0 && count(templates, { one: '# template', other: '# templates' }),
      campaigns > 0 && count(campaigns, { one: '# unsent campaign', other: '# unsent campaigns' }),
    ]
    return `Used by ${users.filter(Boolean).join(' and ')}. Saved changes apply to all of them.`
  },
  deleteHint: (uses: number) =>
    uses > 0
      ? `${count(uses, { one: '# template or campaign uses it', other: '# templates and campaigns use it' })}, so it can’t be deleted yet.`
      : 'This layout isn’t in use. Sent emails don’t change. This can’t be undone.',
  sampleHeading: 'Heading of the email',
  sampleText: 'The content of a template or campaign goes here. The layout adds what’s around it.',
  sampleMore: 'Text, prices, or images of the email.',
  sampleButton: 'Button',
  toSource: 'Edit as HTML',
  toSourceHint:
    'The layout becomes HTML, which you can’t turn back into blocks. Undo brings the blocks back while this page is open.',
  sampleFrom: 'Your company',
}
