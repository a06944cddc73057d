// Every language says the same as English: the same texts, about the same facts, as text and not as markup.
import { expect, test } from 'bun:test'
import { acceptedLanguages } from '../../../src/modules/sending/preferences/language'
import { locales } from '../../../src/modules/sending/preferences/locales'
import { durationInWords } from '../../../src/modules/sending/preferences/sentence'

/** Every text with its path, as `manage.title`. */
function textsOf(value: unknown, path = ''): Array<[path: string, text: string]> {
  if (typeof value === 'string') return [[path, value]]
  return Object.entries(value as object).flatMap(([key, member]) =>
    textsOf(member, path ? `${path}.${key}` : key),
  )
}

const factsIn = (text: string): string[] => [...text.matchAll(/\{\w*\}/g)].map(match => match[0]).sort()
const english = new Map(textsOf(locales['en']))

test.each(Object.entries(locales))('%s has every text, with the facts of the English one', (code, locale) => {
  const texts = textsOf(locale)
  expect(texts.map(([path]) => path)).toEqual([...english.keys()])
  for (const [path, text] of texts) {
    expect([path, factsIn(text)]).toEqual([path, factsIn(english.get(path)!)])
    expect([path, text.trim()]).toEqual([path, text])
    expect([path, text.length > 0 && text.length < 300]).toEqual([path, true])
    expect(text).not.toMatch(/[<>&"\\]|\s\s/)
  }
  expect(locale.code).toBe(code)
  expect(Intl.getCanonicalLocales(code)).toEqual([code])
})

test('no sentence stays English in another language', () => {
  for (const [code, locale] of Object.entries(locales)) {
    if (code === 'en') continue
    const same = textsOf(locale).filter(([path, text]) => text.includes(' ') && text === english.get(path))
    expect([code, same]).toEqual([code, []])
  }
})

test.each<[string | null, string[]]>([
  [null, []],
  ['', []],
  ['de', ['de']],
  ['de-AT, de;q=0.9, en;q=0.5', ['de-AT', 'de', 'en']],
  ['en;q=0.5, fr', ['fr', 'en']],
  ['en;q=0, fr;q=x, nl;level=1;q=0.1', ['nl']],
  [',,;q=1, ,*', ['*']],
  ['a,'.repeat(10_000), Array.from({ length: 20 }, () => 'a')],
])('Accept-Language %j asks for %j', (header, expected) => {
  expect(acceptedLanguages(header)).toEqual(expected)
})

test.each([
  ['en', '2 weeks', '1 month'],
  ['de', '2 Wochen', '1 Monat'],
  ['bg', '2 седмици', '1 месец'],
  ['zh-HK', '2 星期', '1 個月'],
  ['cy', '2 wythnos', '1 mis'],
])('a pause has a length in the words of %s', (code, weeks, month) => {
  expect(durationInWords('2_weeks', code)).toBe(weeks)
  expect(durationInWords('1_month', code)).toBe(month)
})
