// Segments: all, one, building one, lists by hand.
import { count } from './numbers'

const contactsOf = (number: number): string => count(number, { one: '# contact', other: '# contacts' })

export const segments = {
  title: 'Segments',
  about: 'Sets of contacts that campaigns, workflows and other segments refer to.',
  create: 'New segment',
  createDynamic: 'By a condition',
  createStatic: 'A list by hand',
  empty: 'No segments yet',
  emptyHint: 'By a condition it is always up to date; a list you keep by hand.',
  kinds: { DYNAMIC: 'Condition', STATIC: 'List' },
  tracked: 'Tracked',
  createdAt: 'Made',
  addedAt: 'Added',
  facts: 'About',
  compute: 'Update now',
  recount: 'Count again',
  computed: (added: number, removed: number) => `${contactsOf(added)} came, ${contactsOf(removed)} left`,
  deleteHint: (members: number) =>
    `The segment and its history are deleted. This can’t be undone. ${count(members, { one: 'Its # contact is kept', other: 'Its # contacts are kept' })}. A segment that is still in use can’t be deleted.`,
  nobody: 'Nobody is in it',
  nobodyOnList: 'Paste addresses above.',
  nobodyMatches: 'No contact matches its condition at the moment.',
  remove: 'Take off the list',
  removed: (number: number) => `${contactsOf(number)} taken off the list`,
  paste: 'Add to the list',
  pasteHint: 'From a table, a mail, a list: every address in the text is found.',
  createMissing: 'Create contacts for those that have none yet',
  add: (number: number) =>
    number === 0 ? 'Add' : `Add ${count(number, { one: '# address', other: '# addresses' })}`,
  added: (added: number, created: number) =>
    created === 0
      ? `${contactsOf(added)} on the list.`
      : `${contactsOf(added)} on the list, ${created} of them new.`,
  notFound: (number: number) =>
    count(number, { one: '# address is not a contact:', other: '# addresses are not contacts:' }),
  history: 'History',
  historyHint: 'Who came and who left, checked every five minutes.',
  noHistory: 'Nobody has come or left yet.',
  changes: { entry: 'Came', exit: 'Left' },
  goneContact: 'a contact that is gone',
  newTitle: { DYNAMIC: 'New segment', STATIC: 'New list' },
  edit: (name: string) => `Edit ${name}`,
  condition: 'Who belongs to it',
  result: 'At this moment',
  track: 'Track who comes and goes',
  trackHint: 'Each entry and exit is an event, which can start a workflow.',
  discard: 'Discard changes',
}
