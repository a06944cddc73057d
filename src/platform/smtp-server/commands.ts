// Commands as old clients write them, in the form that the library reads. What it would refuse for the spelling alone is mended here, as
// mail servers everywhere do. Pure.

const hello = /^((?:EHLO|HELO)[ \t]+[^\s]+)[ \t]+\S[\s\S]*$/i
const bareAddress = /^((?:MAIL[ \t]+FROM|RCPT[ \t]+TO)[ \t]*:[ \t]*)([^\s<>@]+@[^\s<>@]+)/i

/** `EHLO My PC` loses its second word, and an address without brackets gets them. */
export function readableCommand(line: string): string {
  return line.replace(hello, '$1').replace(bareAddress, '$1<$2>')
}

/** Commands of SMTP that are not served, which is something else than nonsense. */
export const unservedCommands: ReadonlySet<string> = new Set([
  ...['EXPN', 'TURN', 'ETRN', 'SEND', 'SOML', 'SAML', 'BDAT', 'XCLIENT', 'XFORWARD'],
])
