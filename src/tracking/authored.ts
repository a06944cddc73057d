// Which links of a rendered message its author wrote. Only those are tracked: a link that came with a value would let a stranger have our
// host sign a redirect to anywhere. Pure.
import { scanTemplate } from '../liquid/scan'
import { replaceHrefs, trackedUrl } from './links'

/** These surround the number of a piece of Liquid while the HTML around it is walked. No mail uses these characters. */
const [markOpen, markClose] = ['\u{f0f00}', '\u{f0f01}']
const mark = /\u{f0f00}\d+\u{f0f01}/u

export interface AuthoredLinks {
  /** Whether an `href` of the rendered HTML stands in the source, or leads to a host that the source has in a personal link. */
  has(raw: string): boolean
  /** Whether one of the source, with marks in it, may turn out to be. */
  mayHave(marked: string): boolean
}

/** The source with its pieces of Liquid as numbered marks, so that it can be read as HTML. */
export function withMarks(source: string): string {
  return scanTemplate(source)
    .map(({ kind, start, end }, index) =>
      kind === 'text' ? source.slice(start, end) : `${markOpen}${index}${markClose}`,
    )
    .join('')
}

/** `marked`: the source as `withMarks` makes it. */
export function authoredLinks(source: string, marked = withMarks(source)): AuthoredLinks {
  const whole = new Set<string>()
  const [fromHtml, fromLiquid] = [new Set<string>(), new Set<string>()]
  replaceHrefs(marked, raw => {
    if (mark.test(raw)) for (const piece of raw.split(mark)) addOrigin(fromHtml, piece)
    else whole.add(raw)
    return undefined
  })
  // `{% assign shop = "https://shop.example" %}` and `default: "https://…"` are the author's as well.
  for (const { kind, start, end } of scanTemplate(source))
    if (kind !== 'text')
      for (const [, text] of source.slice(start, end).matchAll(/["']([^"']+)["']/g))
        addOrigin(fromLiquid, text!)
  return {
    mayHave: marked => fromLiquid.size > 0 || marked.split(mark).some(piece => originOf(piece) !== undefined),
    has: raw => {
      if (whole.has(raw)) return true
      const origin = originOf(raw)
      return origin !== undefined && (fromHtml.has(origin) || fromLiquid.has(origin))
    },
  }
}

/**
 * Where an address leads, as it is written. A host that isn't closed, or is followed by a reference to a character, may go on with a value:
 * as one of an author it then fits no rendered address but those of that very host.
 */
function originOf(piece: string): string | undefined {
  return /^(https?:\/\/[^/?#&\\\s]+)(?:[/?#]|$)/i.exec(piece.trimStart())?.[1]
}

function addOrigin(origins: Set<string>, piece: string): void {
  const origin = originOf(piece)
  if (origin !== undefined) origins.add(origin)
}

/** The links of the rendered HTML that would be tracked, but came with a value; undefined if there are none. */
export function givenLinks(authored: AuthoredLinks, html: string, baseUrl: string): string[] | undefined {
  const given = new Set<string>()
  replaceHrefs(html, raw => {
    if (!authored.has(raw) && trackedUrl(raw, baseUrl) !== undefined) given.add(raw)
    return undefined
  })
  return given.size > 0 ? [...given] : undefined
}
