// Generated spellings of one mailbox: what copying, spreadsheets, keyboards and mail programs make of an address.
import { domainToASCII } from 'node:url'
import fc from 'fast-check'

/** Characters that nobody sees, and joiners, which some do. */
const unseen = ['\u200b', '\u00ad', '\u2060', '\ufeff', '\u200d', '\u200c', '\u034f']
const upper = (letter: string): string => {
  const raised = letter.toUpperCase()
  return raised.toLowerCase() === letter ? raised : letter
}
const fullWidth = (letter: string): string =>
  /[a-z0-9]/.test(letter) ? String.fromCodePoint(letter.codePointAt(0)! + 0xfee0) : letter

/** Spellings of `local@domain`, which is the stored one. */
export function spellingsOf(address: string): fc.Arbitrary<string> {
  const [local = '', domain = ''] = address.split('@')
  const dot = fc.constantFrom('.', '.', '\u3002', '\uff0e', '\uff61')
  const localPart = spelled(local, letter => fc.constantFrom(letter, upper(letter)))
  const labels = domain.split('.').map(label =>
    fc.oneof(
      spelled(label, letter => fc.constantFrom(letter, upper(letter), fullWidth(letter))),
      fc.constant(domainToASCII(label)),
      fc.constant(label.normalize('NFD')),
    ),
  )
  const host = fc
    .tuple(fc.tuple(...labels), fc.array(dot, { minLength: labels.length - 1, maxLength: labels.length - 1 }))
    .map(([parts, dots]) => parts.map((part, at) => part + (dots[at] ?? '')).join(''))
  const around = fc.constantFrom(
    (text: string) => text,
    (text: string) => `  ${text}\u00a0`,
    (text: string) => `\u200b ${text} \u200b`,
    (text: string) => `Ada <${text}>`,
    (text: string) => `"Kock, Arne" < ${text} >`,
  )
  return fc.tuple(localPart, host, around).map(([left, right, wrap]) => wrap(`${left}@${right}`))
}

function spelled(text: string, letterOf: (letter: string) => fc.Arbitrary<string>): fc.Arbitrary<string> {
  const letters = [...text].map(letterOf)
  const stray = fc.tuple(fc.boolean(), fc.nat(text.length), fc.constantFrom(...unseen))
  return fc
    .tuple(fc.tuple(...letters), stray)
    .map(([all, [isStray, at, character]]) =>
      [...all.slice(0, at), isStray ? character : '', ...all.slice(at)].join(''),
    )
}
