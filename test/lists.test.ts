// A list of the words that a column, a field or a state may have is written once, as data; the CHECK, the schemas of requests, SQL and
// types are made from it. So a new word is added in one place, and whatever forgets it does not compile.
import { expect, test } from 'bun:test'
import { files, texts } from './support/sources'

interface List {
  /** In one order, so that lists compare. */
  words: string
  place: string
  /** What rows or requests may hold: a constant, or three and more words in a statement. */
  isVocabulary: boolean
}

const link = String.raw`(?:\s*[,|]\s*|\),?\s*\w+\.Literal\()`
const listOfWords = new RegExp(String.raw`'\w+'(?:${link}'\w+')+`, 'g')
const constant = { before: /\bconst \w+ = \[(?:\.\.\.\w+, )?\s*$/, behind: /^,?\s*\] as const/ }
const inSql = /\w in \($/

function listsIn(path: string): List[] {
  const text = texts.get(path)!.replaceAll(/^[^\S\n]*(\/\/|\*|\/\*).*$/gm, '')
  return [...text.matchAll(listOfWords)].map(({ 0: list, index }) => {
    const words = [...new Set([...list.matchAll(/'(\w+)'/g)].map(match => match[1]!))].sort()
    const [before, behind] = [text.slice(0, index), text.slice(index + list.length)]
    const isConstant = constant.before.test(before) && constant.behind.test(behind)
    return {
      words: words.join(' '),
      place: `${path}:${before.split('\n').length}`,
      isVocabulary: isConstant || (inSql.test(before) && words.length > 2),
    }
  })
}

/** The platform knows no module, and begins these counters at zero; `test/unit/monitoring.test.ts` sees which there are. */
const excepted = ['EMAIL_REPUTATION MANUAL PAYMENT_FAILED PHISHING_DETECTED']

test('no list of words that rows or requests may hold is written a second time', () => {
  const lists = Map.groupBy(files.flatMap(listsIn), list => list.words)
  const vocabulary = [...lists].filter(([, same]) => same.some(({ isVocabulary }) => isVocabulary))
  expect(vocabulary.length).toBeGreaterThan(40)
  const twice = vocabulary.filter(([words, same]) => same.length > 1 && !excepted.includes(words))
  expect(twice.map(([words, same]) => `${words}: ${same.map(({ place }) => place).join(', ')}`)).toEqual([])
})
