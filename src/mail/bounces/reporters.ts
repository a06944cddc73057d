// Who reports complaints: feedback loops of mailbox providers, as data. What they sign with DKIM is believed; what everybody else writes to
// the public addresses is not.

/** By the address in From, or by its domain where nobody but the loop writes under it. */
const reporters: readonly string[] = [
  // Yahoo and AOL.
  '@arf.mail.yahoo.com',
  // Outlook.com and Hotmail (JMRP).
  'staff@hotmail.com',
  // Validity, for Comcast, Cox, Rackspace and many others.
  '@senderscore.net',
  '@feedback.terra.com',
]

/** Whether mail from this address is of a feedback loop that is known, if it is signed by its domain. */
export function isReporter(address: string): boolean {
  const lower = address.toLowerCase()
  const domain = lower.slice(lower.lastIndexOf('@') + 1)
  return reporters.some(one =>
    one.startsWith('@') ? domain === one.slice(1) || domain.endsWith(`.${one.slice(1)}`) : lower === one,
  )
}
