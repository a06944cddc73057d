// Layouts: what surrounds the mails of a project.
import { count } from './numbers'

export const layouts = {
  title: 'Layouts',
  total: (number: number) => count(number, { one: '# layout', other: '# layouts' }),
  create: 'New layout',
  description: 'Header, footer and postal address, made once and used by many mails.',
  empty: 'No layouts yet',
  emptyHint:
    'A layout is what your mails have in common. Change it once, and all templates and drafts that use it are changed.',
  changed: 'Changed',
  firstName: 'House style',
  source: 'HTML of the layout',
  placeHint: 'The text of each mail goes where {{content}} is.',
  unused: 'Nothing uses it yet. Choose it in a template or campaign.',
  uses: (templates: number, campaigns: number) => {
    const users = [
      templates > 0 && count(templates, { one: '# template', other: '# templates' }),
      campaigns > 0 && count(campaigns, { one: '# unsent campaign', other: '# unsent campaigns' }),
    ]
    return `Used by ${users.filter(Boolean).join(' and ')}. What you save here shows wherever it is used.`
  },
  deleteHint: (uses: number) =>
    uses > 0
      ? `${count(uses, { one: '# template or campaign uses it', other: '# templates and campaigns use it' })}, so it cannot be deleted yet.`
      : 'Nothing uses it. What was sent in it stays as it was.',
  sampleHeading: 'A heading of the mail',
  sampleText:
    'Here goes what you write in a template or campaign, with everything around it from the layout.',
  sampleMore: 'Dates, prices, a picture: whatever the mail is about.',
  sampleButton: 'A button',
  address: 'Your company · 1 Example Street · 12345 Town',
  manage: 'Choose what you get, or unsubscribe',
}
