// What a refusal means: from the stage, the codes and the words of the other side to a verdict. Words are read before numbers, since servers
// give one number for everything (5.0.0, 5.1.0, 550) and say in words what they mean. Doubt never means that the address is dead. Pure.
import { meaningOfCode } from './codes'
import { findPhrase } from './phrases'
import { providerRules } from './providers'
import { comparable, saidText } from './text'
import { wordRules } from './words'

/**
 * `dead`: nobody is there, or the domain does not exist. `full`: the mailbox is full. `refused`: the message, the sender, the network or a
 * policy was the reason. `unknown`: the other side did not say, or what it said leaves doubt.
 */
export type Meaning = 'dead' | 'full' | 'refused' | 'unknown'

/** Where in the conversation the other side refused; undefined where a report does not say. */
export type RefusedAt = 'connect' | 'hello' | 'mail' | 'rcpt' | 'data' | undefined

export interface RefusedCommand {
  at?: RefusedAt
  /** SMTP reply code. */
  code?: number | undefined
  /** Enhanced status code (RFC 3463), of the reply or of a report. */
  status?: string | undefined
  /** The other side's own words. */
  words: string
  /** Whether they were found in a text for people, and not in a field or a reply. */
  inProse?: boolean
  /** Asks what it means if the other side stays with it: that it says "later" is left out. */
  asFinal?: boolean
}

export interface Verdict {
  meaning: Meaning
  /** Temporary by its code: `full` and `unknown` may work later. */
  temporary: boolean
  /** By which rule, for tables and logs. */
  rule: string
  /** Whether the words said it; otherwise the codes alone. */
  spoken: boolean
}

/** Before the recipient was named, nothing can be about it. */
const beforeRecipient: ReadonlySet<RefusedAt> = new Set<RefusedAt>(['connect', 'hello', 'mail'])

/** What a refusal means. */
export function judge({
  at,
  code,
  status,
  words,
  inProse = false,
  asFinal = false,
}: RefusedCommand): Verdict {
  const exact = statusIn(words) ?? (isExact(status) ? status : undefined)
  const plain = code ?? codeIn(words)
  const temporary = !asFinal && isTemporary(status, exact, plain)
  const facts = { at, code: plain, status: exact, said: saidText(words), text: comparable(words), inProse }
  const { meaning, rule, spoken } = ruleFor(facts)
  // A server that says "later" is believed: what is temporary has its own counts, and wears the address out in time.
  if (meaning === 'dead' && (temporary || beforeRecipient.has(at)))
    return {
      meaning: beforeRecipient.has(at) ? 'refused' : 'unknown',
      temporary,
      rule: `${rule}, but not final`,
      spoken,
    }
  return { meaning, temporary, rule, spoken }
}

/** What rules may look at. */
interface Facts {
  at: RefusedAt
  code: number | undefined
  /** Exact ones alone: `x.0.0` says nothing. */
  status: string | undefined
  /** The words in lower case with host names, addresses and links. */
  said: string
  /** The words alone. */
  text: string
  inProse: boolean
}

function ruleFor(facts: Facts): Omit<Verdict, 'temporary'> {
  const special = providerRules.find(
    ({ words, code, status, at }) =>
      words.test(facts.said) &&
      (status === undefined || status === facts.status) &&
      (code === undefined || code === facts.code) &&
      (at === undefined || at === facts.at),
  )
  if (special) return { meaning: special.means, rule: special.of, spoken: true }
  const byCode = meaningOfCode(facts.status, facts.code)
  const spoken = wordRules.find(({ phrases }) => findPhrase(facts.text, phrases) !== undefined)
  const found = spoken
    ? { meaning: spoken.means, rule: spoken.name, spoken: true }
    : { meaning: byCode, rule: `code ${facts.status ?? facts.code ?? 'none'}`, spoken: false }
  if (found.meaning === 'dead' && isDoubtful(facts, byCode, spoken?.isGeneric === true))
    return { ...found, meaning: 'unknown', rule: `${found.rule}, in doubt` }
  return found
}

/**
 * After the message, filters say of mail that they do not want that nobody is there, unless a code says it too. "User unknown" with the code of
 * a disabled mailbox (5.2.1) contradicts itself, and in a text for people anybody may have written it.
 */
function isDoubtful({ at, status, inProse }: Facts, byCode: Meaning, isGeneric: boolean): boolean {
  if (at === 'rcpt' || (byCode === 'dead' && status !== '5.2.1')) return false
  return at === 'data' || (isGeneric && (status === '5.2.1' || inProse))
}

/** `5.0.0` and `5.5.0` stand for everything that has no code of its own. */
function isExact(status: string | undefined): status is string {
  return status !== undefined && !/^[245]\.(?:0\.0|5\.0)$/.test(status)
}

/** The enhanced code that the words carry, the first exact one; that the session went on without a recipient says nothing new. */
export function statusIn(words: string): string | undefined {
  for (const [, status, next] of words.matchAll(
    /(?:^|[\s#'(;:-])([245]\.\d{1,3}\.\d{1,3})(?=[\s)'\]:;,-]|$)([^\d]{0,40})/g,
  ))
    if (isExact(status) && !/need rcpt|no valid recipient/i.test(next!)) return status
  return undefined
}

/** The SMTP code that the words carry. */
export function codeIn(words: string): number | undefined {
  const found = /(?:^|[\s"'#:;[])([45]\d\d)(?=[\s:"'\]-]|$)/.exec(words)?.[1]
  return found ? Number(found) : undefined
}

/** The code that the words carry, the enhanced one where there are both; undefined for words that no server said. */
export function codeOfWords(words: string): string | undefined {
  return statusIn(words) ?? codeIn(words)?.toString()
}

/** A permanent code anywhere outweighs a report's "temporary": the reply is what the other side said. */
function isTemporary(
  status: string | undefined,
  exact: string | undefined,
  code: number | undefined,
): boolean {
  if (exact !== undefined) return exact.startsWith('4.') && !(code !== undefined && code >= 500)
  if (code !== undefined) return code < 500
  return status?.startsWith('4.') ?? false
}
