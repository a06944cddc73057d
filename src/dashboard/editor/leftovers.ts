// What is left of a starter, named before a mail is sent. The list is made from the starters themselves, so that none of their texts can be
// forgotten; a starter names what may stay.
import { queryOptions } from '@tanstack/react-query'
import { renderMail } from './mail/render'
import { allSamples, type SampleTexts } from './samples'

/**
 * The texts of starters that have to be replaced; the server's check names their links. What a message by a program says may stay, its
 * address may not; texts with a variable are about the reader and may stay.
 */
export function leftoversOf({ samples, address, mayStay }: SampleTexts): string[] {
  const found = samples.flatMap(({ type, subject, document }) =>
    type === 'MARKETING' ? [subject, ...textsOf(renderMail(document))] : [],
  )
  const own = [...found, ...partsOf(address)].filter(text => !text.includes('{{') && isWords(text))
  return [...new Set(own)].filter(text => !mayStay.includes(text))
}

/** Those of `leftovers` that the mail still holds as a text of its own, in their order. */
export function leftoversIn(subject: string, html: string, leftovers: readonly string[]): string[] {
  const held = new Set([subject.trim(), ...textsOf(html)])
  return leftovers.filter(each => held.has(each))
}

/** Of all languages: a colleague may have begun in another one. */
export const leftoversQuery = queryOptions({
  queryKey: ['samples', 'leftovers'],
  queryFn: async () => [...new Set((await allSamples()).flatMap(leftoversOf))],
  staleTime: Number.POSITIVE_INFINITY,
})

/** What stands between two tags, the preview text without its blanks: a sample sentence within a longer one is the author's own. */
function textsOf(html: string): string[] {
  const body = html.slice(Math.max(0, html.indexOf('<body')))
  const texts = body.replaceAll(/<[^<>]*>/g, '\n').split(/\n|&#847;|\u034F/)
  return texts.flatMap(partsOf)
}

/** Lines of addresses are replaced part by part. */
const partsOf = (text: string): string[] => text.split(' · ').map(part => part.trim())

/** Not blanks alone, nor the end of a sentence that began with a name. */
const isWords = (text: string): boolean => /\p{L}/u.test(text.replaceAll(/&#?\w{1,10};/g, ''))
