// The format of the address of a mailbox that is read by IMAP. Pure.
import { isLoopbackHost } from '../lib/loopback'
import { accept, type Format, format, reject } from './formats'

export interface MailboxSettings {
  host: string
  port: number
  /** From the first byte; otherwise by STARTTLS, which is demanded of every other machine. */
  implicitTls: boolean
  needsTls: boolean
  user: string
  password: string
  folder: string
  /** Where mails go that were read; they are marked as read where there is none. */
  doneFolder: string | undefined
  /** A file with further authorities, for a server with a certificate of its own. */
  caFile: string | undefined
}

const options: ReadonlySet<string> = new Set(['done', 'tls.ca'])

export const mailboxUrl: Format<MailboxSettings> = format(
  'imaps://user:password@host/INBOX?done=Folder (or imap:// for STARTTLS)',
  text => {
    if (!/^imaps?:\/\//i.test(text) || !URL.canParse(text)) return reject()
    const { protocol, hostname, port, username, password, pathname, searchParams, hash } = new URL(text)
    if (!hostname || !username || !password) return reject('host, user or password is missing')
    if (hash || [...searchParams.keys()].some(name => !options.has(name)))
      return reject('done and tls.ca are the only parameters')
    const implicitTls = protocol === 'imaps:'
    try {
      return accept({
        host: hostname.replace(/^\[|\]$/g, ''),
        port: Number(port) || (implicitTls ? 993 : 143),
        implicitTls,
        needsTls: !implicitTls && !isLoopbackHost(hostname),
        user: decodeURIComponent(username),
        password: decodeURIComponent(password),
        folder: decodeURIComponent(pathname.slice(1)) || 'INBOX',
        doneFolder: searchParams.get('done') || undefined,
        caFile: searchParams.get('tls.ca') || undefined,
      })
    } catch {
      return reject('a percent sign in it is not followed by two digits')
    }
  },
)
