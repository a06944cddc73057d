// Addresses that get nothing more.
import { count } from './numbers'

const addresses = (number: number): string => count(number, { one: '# address', other: '# addresses' })

export const suppressions = {
  title: 'Suppressions',
  about: 'Addresses that this project no longer sends any email to.',
  anyReason: 'Any reason',
  reasons: {
    bounce: 'Bounced',
    complaint: 'Complained',
    manual: 'Added manually',
    repeated: 'Rejected repeatedly',
  },
  source: 'Details',
  lift: 'Remove',
  liftTitle: (email: string) => `Remove ${email} from the suppression list?`,
  liftHint:
    'Waxwing can send to this address again. Its contact stays unsubscribed. If the address bounces again, it’s added back.',
  lifted: (email: string) => `${email} removed`,
  empty: 'No suppressed addresses',
  emptyHint: 'Addresses that bounce or complain are added automatically.',
  nothing: 'No matching addresses',
  add: 'Add addresses',
  addHint: 'Waxwing finds every email address in the text or file and ignores the rest.',
  file: 'File',
  note: 'Note',
  addNumber: (number: number) => (number === 0 ? 'Add' : `Add ${addresses(number)}`),
  added: (added: number, existing: number) =>
    existing === 0
      ? `${addresses(added)} added`
      : `${addresses(added)} added, ${existing} already on the list`,
}
