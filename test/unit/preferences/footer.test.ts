// The language of a footer, and what stands in it.
import { expect, test } from 'bun:test'
import { marketingFooter } from '../../../src/modules/sending/preferences/footer'
import { pickLocale } from '../../../src/modules/sending/preferences/language'
import { locales } from '../../../src/modules/sending/preferences/locales'

test('every language of the interface is there, and complete', () => {
  expect(Object.keys(locales).sort()).toEqual(
    'bg cs cy de en es fr hi it ja nl pl pt sv zh-CN zh-HK zh-TW'.split(' '),
  )
  for (const { footer } of Object.values(locales)) {
    expect(footer.split('{projectName}')).toHaveLength(2)
  }
})

test.each<[unknown[], string]>([
  [['de'], 'de'],
  [['DE'], 'de'],
  [['pt-BR'], 'pt'],
  [['pt_BR'], 'pt'],
  [['zh-TW'], 'zh-TW'],
  [['zh'], 'zh-CN'],
  [['zh-Hant-HK'], 'zh-TW'],
  [['xx', 'fr'], 'fr'],
  [[undefined, 'fr'], 'fr'],
  [[42, 'nl'], 'nl'],
  [['', ''], 'en'],
  [['xx', 'yy'], 'en'],
  [['constructor'], 'en'],
  [['de'.repeat(40)], 'en'],
])('%j is served in %s', (asked, code) => {
  expect(pickLocale(...asked)).toBe(locales[code]!)
})

test('the footer names the project, whatever its name holds, and links to the way out', () => {
  const footer = marketingFooter({
    projectName: 'A & B <$&>',
    language: 'en',
    locale: null,
    unsubscribeUrl: 'https://x.example/unsubscribe/1?t=a&e=b',
  })
  expect(footer.html).toContain(
    'receive email from A &amp; B &lt;$&amp;&gt;. <a href="https://x.example/unsubscribe/1?t=a&amp;e=b"',
  )
  expect(footer.text).toBe(
    'You received this email because you agreed to receive email from A & B <$&>.\nUnsubscribe: https://x.example/unsubscribe/1?t=a&e=b',
  )
})
