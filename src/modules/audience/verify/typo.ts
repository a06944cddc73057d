// Finds the provider that somebody who made a typo meant. Careful on purpose: a real company's domain that resembles a provider's must
// not be "corrected", so a short name has to match exactly and an existing top-level domain is doubted only where the name is
// unmistakable. Pure.
import { run } from '@zootools/email-spell-checker'
import { parse } from 'tldts'
import popularText from './lists/popular.txt' with { type: 'text' }
import soundText from './lists/sound.txt' with { type: 'text' }

const popular = popularText.trim().split('\n')
/** Real domains that are one typo away from a popular one. */
const sound = new Set(soundText.trim().split('\n'))

/** Shorter names have too many genuine neighbours for a typo in them to mean anything. */
const minDoubtfulLength = 5
const longNames = 10
/** Endings that exist but are mostly typos of `com`. */
const doubtfulTops = new Set(['co', 'cm', 'om'])
const notPlausible = Number.POSITIVE_INFINITY

/** The popular domain of which `domain` (lower-case ASCII) is probably a typo; undefined if it is fine as it is. */
export function suggestDomain(domain: string): string | undefined {
  if (sound.has(domain)) return undefined
  const topExists = parse(domain).isIcann === true
  const found = run({
    email: `x@${domain}`,
    domains: popular,
    // The checker's own way of putting names and endings together invents domains such as outlook.co.
    secondLevelDomains: [],
    topLevelDomains: [],
    domainThreshold: 2,
    distanceFunction: (given, candidate) => typoDistance(given, candidate, topExists),
    // Its types omit that it returns a value.
  }) as { domain: string } | undefined
  return found?.domain
}

/** How many typos lie between the two, or infinitely many where nobody would mistake one for the other. */
function typoDistance(given: string, candidate: string, topExists: boolean): number {
  const [name, top] = halves(given)
  const [meantName, meantTop] = halves(candidate)
  const inName = slips(name, meantName, allowedSlips(meantName))
  if (inName === notPlausible) return notPlausible
  const inTop = slips(top, meantTop, 1)
  if (inTop === notPlausible) return notPlausible
  if (inTop > 0 && topExists && !isDoubtfulTop(top, meantTop, meantName)) return notPlausible
  return inName + inTop
}

function isDoubtfulTop(top: string, meantTop: string, meantName: string): boolean {
  return meantTop === 'com' && doubtfulTops.has(top) && meantName.length >= minDoubtfulLength
}

function halves(domain: string): [name: string, top: string] {
  const dot = domain.indexOf('.')
  return [domain.slice(0, dot), domain.slice(dot + 1)]
}

function allowedSlips(name: string): number {
  if (name.length < minDoubtfulLength) return 0
  return name.length < longNames ? 1 : 2
}

/** Optimal string alignment: letters missing, added, wrong, or two neighbours swapped. More than `most` count as infinitely many. */
function slips(from: string, to: string, most: number): number {
  if (from === to) return 0
  // Nearly all pairs end here, before anything is computed.
  if (most === 0 || Math.abs(from.length - to.length) > most) return notPlausible
  let beforeLast: number[] = []
  let last = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (let row = 1; row <= from.length; row++) {
    const current = [row]
    for (let column = 1; column <= to.length; column++) {
      const isSame = from[row - 1] === to[column - 1]
      const isSwapped =
        row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
      const steps = [current[column - 1]! + 1, last[column]! + 1, last[column - 1]! + (isSame ? 0 : 1)]
      if (isSwapped) steps.push(beforeLast[column - 2]! + 1)
      current.push(Math.min(...steps))
    }
    // No row has less than the one above it, except by a swap, which costs one.
    if (Math.min(...current) > most) return notPlausible
    beforeLast = last
    last = current
  }
  return last[to.length]! > most ? notPlausible : last[to.length]!
}
