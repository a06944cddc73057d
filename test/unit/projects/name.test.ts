// Which names a project may carry.
import { expect, test } from 'bun:test'
import { faultOfName, quotedName } from '../../../src/modules/accounts/projects/name'

test.each([
  ['plain words', 'Newsletter 2026'],
  ['accents', 'Café Zürich'],
  ['another script', 'Рассылка 新聞'],
  ['an emoji', 'Shop 🚀'],
  ['an emoji with its presentation selector', 'Love ❤\ufe0f'],
  ['a domain', 'Acme.com'],
  ['a domain with a port of call', 'Acme.com: News'],
  ['words with a stroke', 'Sales/Marketing'],
  ['a technique', 'Node.js/React'],
  ['versions', 'Letter 1.0/2.0'],
  ['words that are endings of domains, too', 'Shop/News, now?'],
  ['punctuation', "O'Neil & Sons (EU) – №".replace('№', '#')],
])('%s are fine', (_, name) => {
  expect(faultOfName(name)).toBeUndefined()
})

test.each([
  ['a web address', 'Verify at https://evil.example'],
  ['one without a scheme', 'Verify at WWW.evil.example'],
  ['a domain and a path', 'evil.com/login'],
  ['a domain and a path among words', 'Your account (evil.co.uk/x) is locked'],
  ['a domain, a port and a path', 'evil.com:8080/login'],
  ['a domain and a query', 'evil.com?x=1'],
  ['an address by numbers', '192.0.2.7/login'],
  ['an ideographic dot', 'evil。com/login'],
  ['blanks only', '   '],
  ['a zero-width space', 'Pay\u200bPal'],
  ['a zero-width joiner', 'a\u200db'],
  ['a byte order mark', '\ufeffName'],
  ['a word joiner', 'a\u2060b'],
  ['a right-to-left override', 'gnp\u202e.exe'],
  ['a bidi isolate', '\u2066x\u2069'],
  ['a soft hyphen', 'so\u00adft'],
  ['a line break', 'two\nlines'],
  ['a line separator', 'two\u2028lines'],
  ['a NUL', 'a\0b'],
  ['half of a surrogate pair', 'a\ud800b'],
  ['a private-use character', 'a\ue000b'],
  ['a Hangul filler', '\u3164'],
  ['an empty Braille pattern', '\u2800x'],
  ['a tag character', 'a\u{e0041}b'],
  ['mathematical letters', '𝐏𝐚𝐲𝐏𝐚𝐥'],
  ['full-width letters', 'ＰａｙＰａｌ'],
  ['circled letters', 'Ⓟay'],
  ['a ligature', 'oﬃce'],
  ['a no-break space', 'a\u00a0b'],
  ['a decomposed accent', 'Cafe\u0301'],
])('%s are refused', (_, name) => {
  expect(faultOfName(name)).toBeString()
})

test('a name can not end the quotation that it stands in', () => {
  expect(quotedName('Acme')).toBe('"Acme"')
  expect(quotedName('Acme" was closed, see "us')).toBe(`"Acme' was closed, see 'us"`)
})
