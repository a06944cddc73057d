// Mail of others: charsets that old programs write, and quotes in text that flows.
import { expect, test } from 'bun:test'
import { readForeignMail } from '../../../../src/mail/mime/foreign'

async function textOf(type: string, body: string, subject = 'Hi'): Promise<[string?, string?]> {
  const raw = Buffer.from(`Subject: ${subject}\r\nContent-Type: ${type}\r\n\r\n${body}`, 'latin1')
  const mail = await readForeignMail(raw, { maxNestingDepth: 5 })
  return [mail.text?.replace(/\n$/, ''), mail.subject]
}

test.each<[charset: string, bytes: string, text: string]>([
  ['cp850', 'Gr\x94\xe1e, \x81ber', 'Größe, über'],
  ['ibm850', 'caf\x82', 'café'],
  ['IBM-850', '\xb5', 'Á'],
  ['cp437', '\x9b \xe0', '¢ α'],
  ['IBM437', '\x8e', 'Ä'],
  ['cp852', '\x88\xa9', 'łę'],
  ['cp858', '5 \xd5', '5 €'],
  ['ibm866', '\x8f\xe0\xa8', 'При'],
  ['koi8-r', '\xf0\xd2\xc9', 'При'],
  ['us-ascii', 'plain', 'plain'],
])('%s is read', async (charset, bytes, text) => {
  const q = [...Buffer.from(bytes, 'latin1')].map(byte => `=${byte.toString(16).padStart(2, '0')}`).join('')
  const subject = `=?${charset}?Q?${q}?=`
  expect(await textOf(`text/plain; charset=${charset}`, bytes, subject)).toEqual([text, text])
})

test('a long text of such a charset is read whole', async () => {
  const [text] = await textOf('text/plain; charset=cp850', '\x84'.repeat(70_000))
  expect(text).toBe('ä'.repeat(70_000))
})

test('UTF-7 is not decoded: what looks harmless stays so', async () => {
  const [text] = await textOf('text/plain; charset=utf-7', '+ADw-script+AD4-')
  expect(text).toBe('+ADw-script+AD4-')
})

test.each<[lines: string[], text: string[]]>([
  [['> quoted ', '> text'], ['> quoted text']],
  [
    ['>> a ', '>> b ', '> c ', '> d', 'e ', 'f'],
    ['>> a b ', '> c d', 'e f'],
  ],
  [
    ['> a', '>', '> b'],
    ['> a', '> ', '> b'],
  ],
  [
    ['own words ', '> quoted'],
    ['own words ', '> quoted'],
  ],
  [
    ['> -- ', '> Ada'],
    ['> -- ', '> Ada'],
  ],
  [
    ['a ', 'b', '-- ', 'Ada'],
    ['a b', '-- ', 'Ada'],
  ],
  [[' > no quote ', 'more'], ['> no quote more']],
])('text that flows: %j', async (lines, text) => {
  const [found] = await textOf('text/plain; format=flowed', lines.join('\r\n'))
  expect(found?.split('\n')).toEqual(text)
})
