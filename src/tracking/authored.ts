// Which links of a rendered message its author wrote. Only those are tracked: a link that came with a value would let a stranger have our
// host sign a redirect to a page of their choice. A link without values is known by its text. One with values is fenced in the template,
// so that no other link of the rendered message is taken for it, not even one to the same site. Pure.
import { scanTemplate } from '../liquid/scan'
import { replaceHrefs, trackedUrl } from './links'

/** These surround the number of a piece of Liquid while the HTML around it is walked. No mail uses these characters. */
const [markOpen, markClose] = ['\u{f0f00}', '\u{f0f01}']
const marks = /\u{f0f00}(\d+)\u{f0f01}/gu
/** These surround a link with values, beside a secret; the middle one ends its number. */
const [fenceOpen, fenceClose, fenceNumber] = ['\u{f0f02}', '\u{f0f03}', '\u{f0f04}']

/** Whether a template has characters of our own, so that its links can't be told apart. */
export function hasMarks(source: string): boolean {
  return /[\u{f0f00}-\u{f0f04}]/u.test(source)
}

export interface FencedTemplate {
  /** The template with each link that has values, and a site of its author, between fences. */
  document: string
  /** How many those are. */
  fenced: number
  /** What is written before each of them, and behind it. */
  fences: Fences
  /** The links without values. */
  whole: ReadonlySet<string>
  /** The address between two fences; undefined if its values lead it to another site than its author's. */
  linkBetween(text: string): string | undefined
}

export interface Fences {
  start: string
  end: string
}

/**
 * `secret`: nobody whose values are rendered knows it. `replaceWhole` gives another address to a link without values, `finish` changes the
 * document before the Liquid is put back.
 */
export function fenceLinks(
  source: string,
  secret: string,
  {
    replaceWhole = () => undefined,
    finish = html => html,
  }: {
    replaceWhole?: (raw: string) => string | undefined
    finish?: (html: string, fenced: number) => string
  } = {},
): FencedTemplate {
  if (hasMarks(source)) return withoutLinks(source)
  const pieces = scanTemplate(source).map(({ kind, start, end }) => ({
    kind,
    text: source.slice(start, end),
  }))
  const marked = pieces
    .map(({ kind, text }, index) => (kind === 'text' ? text : `${markOpen}${index}${markClose}`))
    .join('')
  const liquid = pieces.flatMap(({ kind, text }) => (kind === 'text' ? [] : [text]))
  const assigned = assignedSites(liquid)
  const fences = { start: `${fenceOpen}${secret}`, end: `${secret}${fenceClose}` }
  const whole = new Set<string>()
  const sites: Array<ReadonlySet<string>> = []
  const replaced = replaceHrefs(marked, raw => {
    const own = [...raw.matchAll(marks)].map(([, number]) => pieces[Number(number)]!.text)
    if (own.length === 0) {
      whole.add(raw)
      return replaceWhole(raw)
    }
    const leadsTo = sitesOf(raw, own, assigned)
    if (leadsTo.size === 0) return undefined
    const number = sites.push(leadsTo) - 1
    return `${fences.start}${number}${fenceNumber}${raw}${fences.end}`
  })
  return {
    document: finish(replaced, sites.length).replace(marks, (_, number) => pieces[Number(number)]!.text),
    fenced: sites.length,
    fences,
    whole,
    linkBetween: text => {
      const raw = withoutNumber(text)
      const site = siteOf(raw)
      return site !== undefined && sites[Number.parseInt(text, 10)]?.has(site) ? raw : undefined
    },
  }
}

/** Its links can't be told apart, so none is taken for its author's. */
function withoutLinks(source: string): FencedTemplate {
  const fences = { start: fenceOpen, end: fenceClose }
  return { document: source, fenced: 0, fences, whole: new Set(), linkBetween: () => undefined }
}

/** What stands behind the start of a fence, without the number of its link. */
export function withoutNumber(text: string): string {
  return text.slice(text.indexOf(fenceNumber) + fenceNumber.length)
}

/** The sites that a link names: around its Liquid, in quotes inside it, or in texts assigned to what it prints. */
function sitesOf(raw: string, liquid: readonly string[], assigned: Map<string, string>): Set<string> {
  const quoted = liquid.flatMap(text => [...text.matchAll(/["']([^"']+)["']/g)].map(([, words]) => words!))
  const named = liquid.flatMap(text => text.match(/[\w-]+/g) ?? []).flatMap(name => assigned.get(name) ?? [])
  const sites = [...raw.split(/\u{f0f00}\d+\u{f0f01}/u), ...quoted, ...named].map(siteOf)
  return new Set(sites.filter(site => site !== undefined))
}

/** `{% assign shop = "https://shop.example" %}`. */
function assignedSites(liquid: readonly string[]): Map<string, string> {
  return new Map(
    liquid.flatMap(text => {
      const [, name, url] = /^\{%-?\s*assign\s+([\w-]+)\s*=\s*["']([^"']+)["']/.exec(text) ?? []
      return name === undefined ? [] : [[name, url!] as const]
    }),
  )
}

/**
 * Where an address leads, as it is written. A host that isn't closed, or is followed by a reference to a character, may go on with a value:
 * as one of an author it then fits no rendered address but those of that very host.
 */
function siteOf(piece: string): string | undefined {
  return /^(https?:\/\/[^/?#&\\\s]+)(?:[/?#]|$)/i.exec(piece.trimStart())?.[1]
}

/** Takes the fences out of rendered HTML; `links` are the addresses that stood alone between two of them. */
export function withoutFences(
  { fenced, fences: { start, end }, linkBetween }: FencedTemplate,
  html: string,
): { html: string; links: Set<string> } {
  const links = new Set<string>()
  if (fenced === 0 || !html.includes(start)) return { html, links }
  replaceHrefs(html, raw => {
    const isFenced = raw.startsWith(start) && raw.indexOf(end) === raw.length - end.length
    const link = isFenced ? linkBetween(raw.slice(start.length, -end.length)) : undefined
    if (link !== undefined) links.add(link)
    return undefined
  })
  const [before = '', ...behind] = html.split(start)
  const plain = [before, ...behind.map(withoutNumber)]
  return { html: plain.join('').replaceAll(end, ''), links }
}

/** The links of the rendered HTML that would be tracked, but are none of its author's; undefined if there are none. */
export function givenLinks(
  html: string,
  baseUrl: string,
  ...authored: ReadonlyArray<ReadonlySet<string>>
): string[] | undefined {
  const given = new Set<string>()
  replaceHrefs(html, raw => {
    if (!authored.some(links => links.has(raw)) && trackedUrl(raw, baseUrl) !== undefined) given.add(raw)
    return undefined
  })
  return given.size > 0 ? [...given] : undefined
}
