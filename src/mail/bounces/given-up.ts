// What a report means that a message was given up: the other side's words first, then what the server wrote around them.
import { findPhrase } from './phrases'
import { codeIn, judge, type Meaning, statusIn } from './refusal'
import type { MailReport } from './report'
import { comparable } from './text'
import { stageIn, unwrapped } from './wrapping'

/** Why a message did not arrive; `expired`: it was given up for a temporary reason. */
export type Failure = Meaning | 'expired'

export interface GivenUp {
  status?: string | undefined
  /** The other side's words, or the server's own; may be empty. */
  words: string
  /** What was written for people about this recipient. */
  around: string
  /** Whether that names this recipient. */
  isSpecific: boolean
  /** Whether `words` are of a text for people. */
  inProse?: boolean
  /** What it means if nothing changes, although the message is still being tried. */
  asFinal?: boolean
  /** What the server itself took it for, which decides where the words don't. */
  category?: Meaning | undefined
}

/** Tried for as long as the server would, whatever code it ended with. */
const expiry: readonly string[] = [
  ...[
    'retry timeout exceeded',
    'message expired',
    'delivery expired',
    'envelope expired',
    'delivery time expired',
    'queue too long',
  ],
  ...[
    'in the queue too long',
    'could not deliver for the last',
    'after multiple retries',
    'multiple retries',
    'too many attempts',
  ],
  ...[
    'all hosts have been failing',
    'host not reachable',
    'unable to connect',
    'being unable to connect',
    'connection timed out',
  ],
  ...[
    'operation timed out',
    'did not accept our requests to connect',
    'unable to deliver this message after',
    'no route to host',
  ],
  ...[
    'connection refused',
    "wasn't able to establish an smtp connection",
    'not try again',
    'could not find a gateway',
    'message has been in the queue',
  ],
  ...['could not be delivered for', 'has not been delivered', 'lost connection', 'giving up'],
]

/** What became of the message, with the words and the code that say so. */
export function readGivenUp({
  status,
  words,
  around,
  isSpecific,
  inProse = false,
  asFinal = false,
  category,
}: GivenUp): Pick<MailReport, 'said' | 'temporary' | 'code' | 'words'> {
  const own = unwrapped(words)
  const at = stageIn(words) ?? stageIn(around)
  const first = judge({ at, status, words: own, inProse, asFinal })
  // The words for people are asked where the other side's leave it open; what was not written about this recipient proves little.
  const second =
    first.meaning === 'unknown' && !first.spoken && around
      ? judge({ at, status, words: unwrapped(around), inProse: true, asFinal })
      : first
  const third = isSpecific || second.meaning === 'dead' || second.meaning === 'full' ? second : first
  const isOpen = third.meaning === 'unknown' && !third.temporary && category !== undefined
  const verdict = isOpen ? { ...third, meaning: category } : third
  const code = statusIn(own) ?? status ?? codeIn(own)?.toString()
  const said = words.trim() ? words : around
  const facts = { words: said || `returned with status ${code ?? 'unknown'}`, ...(code ? { code } : {}) }
  if (verdict.meaning !== 'unknown') return { said: verdict.meaning, temporary: verdict.temporary, ...facts }
  return {
    said: verdict.temporary || isExpired(code, `${own} ${around}`) ? 'expired' : 'unknown',
    temporary: verdict.temporary,
    ...facts,
  }
}

function isExpired(code: string | undefined, text: string): boolean {
  return code?.endsWith('.4.7') === true || findPhrase(comparable(text), expiry) !== undefined
}

/** What a message that is still being tried will fail for, if nothing changes. */
export function likelyFailure(facts: GivenUp): Failure {
  const { said } = readGivenUp({ ...facts, asFinal: true })
  return said === 'dead' || said === 'full' || said === 'refused' ? said : 'expired'
}

/** What the words of a relay's report mean, where they come without a mail around them. */
export function meaningOfWords(status: string | undefined, words: string): Failure {
  return readGivenUp({ status, words, around: '', isSpecific: false }).said as Failure
}
