// Addresses that get nothing more.
import { count } from './numbers'

const addresses = (number: number): string => count(number, { one: '# address', other: '# addresses' })

export const suppressions = {
  title: 'Suppressions',
  about: 'Addresses that get no more mail of any kind from this project.',
  anyReason: 'Any reason',
  reasons: { bounce: 'Bounced', complaint: 'Complained', manual: 'By hand', repeated: 'Refused repeatedly' },
  source: 'Details',
  lift: 'Take off',
  liftTitle: (email: string) => `Write to ${email} again`,
  liftHint:
    'Mail to this address is sent again. Its contact stays unsubscribed; an address that still does not exist comes back with its next bounce.',
  lifted: (email: string) => `${email} is off the list`,
  empty: 'No address is suppressed',
  emptyHint: 'Addresses that bounce or complain are put on the list automatically.',
  nothing: 'No address fits',
  add: 'Add addresses',
  addHint: 'Every address in the text or the file is found; the rest of it is ignored.',
  file: 'File',
  note: 'Note',
  addNumber: (number: number) => (number === 0 ? 'Add' : `Add ${addresses(number)}`),
  added: (added: number, existing: number) =>
    existing === 0 ? `${addresses(added)} added` : `${addresses(added)} added, ${existing} were there before`,
}
