// Reads JSON from others without holding up the event loop: its members are counted in the bytes before they are parsed, because parsing
// many of them is what costs, and long strings are decoded one piece at a time.
import { type CpuThrottle, makeCpuThrottle } from '../lib/cpu-throttle'
import { invalid } from '../lib/errors'

/** Of all lists and objects together: what a member costs from the parser to the schema is bounded by that. */
export const maxMembers = 20_000
/** Deeper than any documented body: a filter tree of depth 10 takes about 40 levels. */
export const maxDepth = 100
/** A body up to this size is parsed at once; beyond it, all of it but its long strings may have this size. */
const parsedAtOnce = 2 * 1024 ** 2
/** More members are parsed in a turn of their own: to check them takes as long again. */
const fewMembers = 1_000
/** A string of more bytes is decoded by itself. */
const longText = 4 * 1024
const piece = 64 * 1024

/** So much is scanned in one piece, unless there is little, which waits for no other large work. */
const [slice, scannedAtOnce] = [64 * 1024, 512 * 1024]

const quote = 0x22
const backslash = 0x5c
/** What a byte outside of strings means; 0 for nearly all of them, which a tight loop passes over. */
const kinds = new Uint8Array(256)
const [comma, opening, closing, string] = [1, 2, 3, 4]
for (const [bytes, kind] of [[',', comma] as const, ['[{', opening] as const, [']}', closing] as const])
  for (const byte of Buffer.from(bytes)) kinds[byte] = kind
kinds[quote] = string

/** Where a string's content is in the bytes, and where it may be cut. */
interface LongText {
  start: number
  end: number
  cuts: number[]
}

/** The value of a JSON text in UTF-8; throws a SyntaxError for what is none, and 422 for more members or levels than a body may have. */
export async function parseJson(
  bytes: Uint8Array,
  throttle: CpuThrottle = makeCpuThrottle(2),
): Promise<unknown> {
  const scanner = new Scanner(bytes)
  if (bytes.length <= scannedAtOnce) scanner.scan(0, bytes.length)
  else
    for (let at = 0; at < bytes.length; at += slice)
      await throttle(() => scanner.scan(at, Math.min(at + slice, bytes.length)))
  if (scanner.isWithinText) throw new SyntaxError('a string has no end')
  if (bytes.length > parsedAtOnce) return await parseLong(bytes, scanner.texts, throttle)
  if (scanner.members <= fewMembers) return parseText(bytes)
  const [value, tookMs] = await throttle(() => {
    const from = performance.now()
    return [parseText(bytes), performance.now() - from]
  })
  return await throttle(() => value, tookMs)
}

/** Goes over the bytes once, in as many calls as its owner likes. */
class Scanner {
  readonly texts: LongText[] = []
  private text: LongText | undefined
  private lastCut = 0
  /** Bytes that belong to an escape. */
  private escaped = 0
  members = 0
  private depth = 0

  constructor(private readonly bytes: Uint8Array) {}

  get isWithinText(): boolean {
    return this.text !== undefined
  }

  scan(from: number, to: number): void {
    let at = from
    while (at < to) at = this.text ? this.scanText(this.text, at, to) : this.scanStructure(at, to)
  }

  /** Returns where it stopped: behind the end of the string, or at `to`. */
  private scanText(text: LongText, from: number, to: number): number {
    const { bytes } = this
    let { escaped, lastCut } = this
    let at = from
    for (; at < to; at++) {
      const byte = bytes[at]!
      if (escaped > 0) {
        escaped--
        continue
      }
      // Neither within an escape nor within a character of several bytes.
      if (at - lastCut >= piece && (byte & 0xc0) !== 0x80) {
        text.cuts.push(at)
        lastCut = at
      }
      if (byte === backslash) escaped = bytes[at + 1] === 0x75 ? 5 : 1
      else if (byte === quote) break
    }
    this.escaped = escaped
    this.lastCut = lastCut
    if (at === to) return to
    text.end = at
    if (text.end - text.start > longText) this.texts.push(text)
    this.text = undefined
    return at + 1
  }

  /** Returns where it stopped: behind the beginning of a string, or at `to`. */
  private scanStructure(from: number, to: number): number {
    const { bytes } = this
    for (let at = from; at < to; at++) {
      const kind = kinds[bytes[at]!]!
      if (kind === 0) continue
      if (kind === string) {
        this.text = { start: at + 1, end: at + 1, cuts: [] }
        this.lastCut = at + 1
        return at + 1
      }
      if (kind === closing) this.depth--
      else this.members++
      if (kind === opening) this.depth++
      if (this.members > maxMembers) throw tooMuch(`The body has more than ${maxMembers} members`)
      if (this.depth > maxDepth) throw tooMuch(`The body is nested deeper than ${maxDepth} levels`)
    }
    return to
  }
}

function tooMuch(message: string) {
  return invalid([{ field: '', message, code: 'too_big' }])
}

/** Stands for the long strings while the rest is parsed. A client that writes it itself gets one of its own strings. */
const mark = 'long-text-of-this-body-'

async function parseLong(
  bytes: Uint8Array,
  texts: readonly LongText[],
  throttle: CpuThrottle,
): Promise<unknown> {
  const remaining: Uint8Array[] = []
  let from = 0
  for (const [number, { start, end }] of texts.entries()) {
    remaining.push(bytes.subarray(from, start), Buffer.from(mark + number))
    from = end
  }
  remaining.push(bytes.subarray(from))
  if (remaining.reduce((sum, { length }) => sum + length, 0) > parsedAtOnce)
    throw tooMuch(
      `The body has more than ${parsedAtOnce} bytes beside strings of more than ${longText} bytes`,
    )
  const value = await throttle(() => parseText(Buffer.concat(remaining)))
  const values: string[] = []
  for (const text of texts) values.push(await decodeText(bytes, text, throttle))
  return await throttle(() => putBack(value, values))
}

function parseText(bytes: Uint8Array): unknown {
  return JSON.parse(new TextDecoder().decode(bytes))
}

async function decodeText(
  bytes: Uint8Array,
  { start, end, cuts }: LongText,
  throttle: CpuThrottle,
): Promise<string> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  const parts: string[] = []
  for (const [at, cut] of [...cuts, end].entries()) {
    const part = bytes.subarray(at === 0 ? start : cuts[at - 1], cut)
    parts.push(await throttle(() => JSON.parse(`"${decoder.decode(part)}"`)))
  }
  return await throttle(() => parts.join(''))
}

/** Recursion is safe: the depth is bounded. */
function putBack(value: unknown, texts: readonly string[]): unknown {
  if (typeof value === 'string')
    return value.startsWith(mark) ? (texts[Number(value.slice(mark.length))] ?? value) : value
  if (typeof value !== 'object' || value === null) return value
  for (const [name, child] of Object.entries(value)) {
    if (name.startsWith(mark)) throw tooMuch(`A name has more than ${longText} bytes`)
    if (typeof child === 'object' || typeof child === 'string')
      Object.defineProperty(value, name, { value: putBack(child, texts) })
  }
  return value
}
