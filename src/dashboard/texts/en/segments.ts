// Segments: all, one, building one, lists by hand.
import { count } from './numbers'

const contactsOf = (number: number): string => count(number, { one: '# contact', other: '# contacts' })

export const segments = {
  title: 'Segments',
  about: 'Groups of contacts for campaigns, workflows, and other segments.',
  create: 'New segment',
  createDynamic: 'Dynamic segment',
  createStatic: 'Static segment',
  empty: 'No segments yet',
  emptyHint: 'Dynamic segments update automatically. You manage the contacts in static segments.',
  kinds: { DYNAMIC: 'Dynamic', STATIC: 'Static' },
  tracked: 'Tracked',
  createdAt: 'Created',
  addedAt: 'Added',
  facts: 'Details',
  compute: 'Update now',
  recount: 'Recount',
  computed: (added: number, removed: number) => `${contactsOf(added)} added, ${contactsOf(removed)} removed`,
  deleteHint: (members: number) =>
    `The segment and its history are deleted. This can’t be undone. ${count(members, { one: 'Its # contact is kept', other: 'Its # contacts are kept' })}. A segment that is still in use can’t be deleted.`,
  nobody: 'No contacts yet',
  nobodyOnList: 'Paste email addresses above.',
  nobodyMatches: 'No contacts match the conditions.',
  remove: 'Remove from segment',
  removed: (number: number) => `${contactsOf(number)} removed from the segment`,
  paste: 'Add to segment',
  pasteHint: 'Paste any text, such as a spreadsheet or an email. Waxwing finds the email addresses.',
  createMissing: 'Create contacts for new addresses',
  add: (number: number) =>
    number === 0 ? 'Add' : `Add ${count(number, { one: '# address', other: '# addresses' })}`,
  added: (added: number, created: number) =>
    created === 0 ? `${contactsOf(added)} added.` : `${contactsOf(added)} added, ${created} of them new.`,
  notFound: (number: number) =>
    count(number, { one: '# address is not a contact:', other: '# addresses are not contacts:' }),
  history: 'History',
  historyHint: 'Contacts who entered or exited, checked every 5 minutes.',
  noHistory: 'No changes yet.',
  changes: { entry: 'Entered', exit: 'Exited' },
  goneContact: 'Deleted contact',
  newTitle: { DYNAMIC: 'New dynamic segment', STATIC: 'New static segment' },
  edit: (name: string) => `Edit ${name}`,
  condition: 'Conditions',
  result: 'Current matches',
  track: 'Track membership',
  trackHint: 'Records an event when a contact enters or exits. These events can start workflows.',
  discard: 'Discard changes',
}
