// What is left of the starters is named before a mail is sent, in each language. The list is made from the starters.
import { describe, expect, test } from 'bun:test'
import { leftoversIn, leftoversOf } from '../../../src/dashboard/editor/leftovers'
import type { Block } from '../../../src/dashboard/editor/mail/document'
import { renderMail } from '../../../src/dashboard/editor/mail/render'
import { withSamples } from '../../../src/dashboard/editor/samples'
import * as de from '../../../src/dashboard/texts/de/samples'
import * as en from '../../../src/dashboard/texts/en/samples'
import * as fr from '../../../src/dashboard/texts/fr/samples'

/** Every text of a block and of those in it, without those beside a variable. */
function wordsOf({ text, attrs, content = [] }: Block): string[] {
  if (content.some(each => each.type === 'variable')) return []
  const own = [text, attrs?.['text']]
  return [...own.filter(each => typeof each === 'string'), ...content.flatMap(wordsOf)]
}

const isAboutReader = (text: string): boolean => text.includes('{{')

describe.each([
  ['en', withSamples(en)],
  ['de', withSamples(de)],
  ['fr', withSamples(fr)],
])('in %s', (_, texts) => {
  const { samples, mayStay, address } = texts
  const leftovers = leftoversOf(texts)
  const found = (subject: string, html: string) => leftoversIn(subject, html, leftovers)

  test.each(samples.filter(sample => sample.type === 'MARKETING'))(
    'all of an untouched $id is noticed',
    ({ subject, document: { preheader, doc, ...rest } }) => {
      const noticed = found(subject, renderMail({ preheader, doc, ...rest }))
      const parts = [subject, preheader, ...wordsOf(doc)].flatMap(text => text.split(' · '))
      const missed = parts
        .map(text => text.trim())
        .filter(text => /\p{L}/u.test(text) && !isAboutReader(text))
        .filter(text => !noticed.includes(text) && !mayStay.includes(text))
      expect(missed).toEqual([])
    },
  )

  test.each(samples.filter(sample => sample.type !== 'MARKETING'))(
    'nothing of an untouched $id is made up',
    ({ subject, document }) => expect(found(subject, renderMail(document))).toEqual([]),
  )

  test.each(samples)(
    'the footer of $id is the address of the brand, which the check asks for',
    ({ document }) => {
      const [last] = document.doc.content!.slice(-1)
      expect(last).toMatchObject({
        type: 'footer',
        content: [{ attrs: { name: 'brand.address', fallback: '' } }],
      })
    },
  )

  test('what may stay is of a starter, and as much in each language', () => {
    const all = leftoversOf({ ...texts, mayStay: [] })
    expect(mayStay.filter(each => !all.includes(each))).toEqual([])
    expect(mayStay).toHaveLength(en.mayStay.length)
  })

  test('the address that starters had is noticed, also in part', () => {
    expect(found('News', `<p>${address}</p>`)).toEqual(address.split(' · '))
    const [, street = ''] = address.split(' · ')
    expect(found('News', `<p>Acme · ${street} · Berlin</p>`)).toEqual([street])
  })

  test('a mail in words of its own has none', () => {
    expect(found('News', '<h1>Bread</h1><p>A heading is no word of ours.</p>')).toEqual([])
  })
})

test('headings, buttons, and the preview text are noticed', () => {
  const english = withSamples(en)
  const newsletter = english.samples.find(({ id }) => id === 'newsletter')!
  const html = renderMail(newsletter.document)
  expect(leftoversIn('News', html, leftoversOf(english))).toEqual(
    expect.arrayContaining([
      ...['Second story', 'Third story', 'Read the story'],
      ...['Three stories in five minutes'],
    ]),
  )
})
