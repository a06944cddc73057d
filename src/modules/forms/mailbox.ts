// Which mailbox an address leads to: many spellings of one would otherwise be many mails to one person. Pure.

/** Providers that ignore dots in the local part, and other names of theirs. */
const dotless = new Map([
  ['gmail.com', 'gmail.com'],
  ['googlemail.com', 'gmail.com'],
])

/** For comparing only: mail goes to the address as it was given. */
export function mailboxOf(email: string): string {
  const at = email.lastIndexOf('@')
  const local = email.slice(0, at)
  const domain = email.slice(at + 1).toLowerCase()
  const tag = local.indexOf('+')
  const base = (tag > 0 ? local.slice(0, tag) : local).toLowerCase()
  const provider = dotless.get(domain)
  return provider ? `${base.replaceAll('.', '')}@${provider}` : `${base}@${domain}`
}
