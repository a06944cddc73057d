// What is left of the sample mails is named before it is sent, in each language.
import { describe, expect, test } from 'bun:test'
import { leftoversIn } from '../../../src/dashboard/editor/check'
import { renderMail } from '../../../src/dashboard/editor/mail/render'
import * as de from '../../../src/dashboard/texts/de/samples'
import * as en from '../../../src/dashboard/texts/en/samples'
import * as fr from '../../../src/dashboard/texts/fr/samples'

describe.each(Object.entries({ en, de, fr }))('in %s', (_, { samples, leftovers }) => {
  test.each(samples)('an untouched $id is noticed', ({ subject, document }) => {
    expect(leftoversIn(subject, renderMail(document), leftovers)).not.toEqual([])
  })

  test('each leftover is one of a sample', () => {
    const found = samples.flatMap(({ subject, document }) =>
      leftoversIn(subject, renderMail(document), leftovers),
    )
    expect(leftovers.filter(each => !found.includes(each))).toEqual([])
  })

  test('a mail in words of its own has none', () => {
    expect(leftoversIn('News', '<h1>Bread</h1><p>A heading is no word of ours.</p>', leftovers)).toEqual([])
  })
})
