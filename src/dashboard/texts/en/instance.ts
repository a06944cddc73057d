// How the instance is doing, for its operator.
import { plural } from '../plural'

const count = plural('en')

export const instance = {
  title: 'Instance',
  hint: 'How this Waxwing is doing. Only you see it: your account was created first.',
  closed: 'This page is for the operator',
  closedHint: 'The account that was created first on this instance sees how it is doing.',
  facts: {
    version: 'Version',
    started: 'Started',
    address: 'Address',
    transport: 'Mail leaves by',
    database: 'Database',
    builtIn: 'built in',
    external: 'external',
    backup: 'Backups',
  },
  transports: {
    outbox: 'Nothing: it stays in the outbox',
    smtp: 'SMTP relay',
    ses: 'Amazon SES',
    sendmail: 'sendmail',
  } as Record<string, string>,
  backupHint: 'Writes everything into one file, while mail goes on leaving.',
  findings: 'Check-up',
  findingsHint: 'What “waxwing doctor” finds.',
  lookAgain: 'Look again',
  levels: { ok: 'Good', warn: 'Warning', fail: 'Failed' },
  jobs: 'Background work',
  jobsHint: 'What waits, runs, or was given up.',
  noJobs: 'Nothing waits, and nothing was given up.',
  columns: { kind: 'Kind', queued: 'Waiting', running: 'Running', failed: 'Given up', due: 'Due since' },
  failed: 'Given up',
  failedHint: 'Jobs that failed at every try. They are kept for some days.',
  failedOf: (kind: string) => `Of the kind ${kind}.`,
  allKinds: 'All kinds',
  noneFailed: 'Nothing was given up.',
  attempts: (tries: number) => count(tries, { one: '# try', other: '# tries' }),
}
