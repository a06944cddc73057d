// Calls the other program's HTTP API: one answer after the other, each bounded in size and time. Where it says "too many requests" or
// fails for a moment, it is asked again after the time that it names.

import { readFileSync } from 'node:fs'
import { UsageFault } from '../arguments'
import { answeredText, objectOf } from './answered'
import { SourceFault } from './record'

export interface Api {
  /** The JSON that it answers with. Throws SourceFault for anything else. */
  get(path: string, query?: Readonly<Record<string, string | number>>): Promise<unknown>
}

export interface ApiChoices {
  address: string
  headers: Readonly<Record<string, string>>
  limits?: { answerMs: number; bytes: number }
  /** Waits before it asks again. */
  pause?(ms: number): Promise<unknown>
}

const usualLimits = { answerMs: 60_000, bytes: 64 * 1024 * 1024 }
type Limits = typeof usualLimits
const tries = 6
/** The import does not wait longer than this: it can be run again. */
const longestPauseMs = 15 * 60_000

export function openApi(choices: ApiChoices): Api {
  const { address, headers, limits = usualLimits, pause = Bun.sleep } = choices
  const base = parseAddress(address)
  let hasAnswered = false
  return {
    async get(path, query = {}) {
      const url = new URL(`${base}${path}`)
      for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value))
      for (let attempt = 1; ; attempt++) {
        const answer = await ask(url, headers, limits)
        if ('json' in answer) {
          hasAnswered = true
          return answer.json
        }
        // What never answered is more likely to be named wrongly than to be busy.
        const isDone = attempt === tries || (!hasAnswered && answer.isBroken && attempt > 1)
        if (!answer.again || isDone) throw new SourceFault(`${url.host}${path}: ${answer.fault}`)
        const ms = answer.afterMs ?? 1_000 * 2 ** (attempt - 1)
        if (ms > longestPauseMs)
          throw new SourceFault(
            `${url.host} asks to wait ${Math.ceil(ms / 60_000)} minutes: run the import again then`,
          )
        await pause(ms)
      }
    },
  }
}

type Answer = { json: unknown } | { fault: string; again: boolean; afterMs?: number; isBroken?: boolean }

async function ask(url: URL, headers: ApiChoices['headers'], limits: Limits): Promise<Answer> {
  try {
    const response = await fetch(url, {
      headers: { accept: 'application/json', ...headers },
      // A key is not carried to another address.
      redirect: 'manual',
      signal: AbortSignal.timeout(limits.answerMs),
    })
    const text = await readBounded(response, limits.bytes)
    if (text === undefined) return { fault: `the answer is larger than ${limits.bytes} bytes`, again: false }
    return response.ok ? readJson(text) : refusalOf(response, text)
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error)
    return { fault: `no answer (${words.slice(0, 200)})`, again: true }
  }
}

function refusalOf({ status, headers }: Response, text: string): Answer {
  if (status === 401 || status === 403) return { fault: `the key is refused (${status})`, again: false }
  if (status >= 300 && status < 400)
    return { fault: `it redirects elsewhere (${status}): give the final address`, again: false }
  const afterMs = pauseNamed(headers.get('retry-after'))
  return {
    fault: `it answers ${status}${wordsOf(text)}`,
    again: status === 408 || status === 429 || status >= 500,
    isBroken: status === 500,
    ...(afterMs === undefined ? {} : { afterMs }),
  }
}

/** What the other program says is wrong, as far as people can read it. */
function wordsOf(text: string): string {
  if (text.length > 2_000) return ''
  const answer = readJson(text)
  const { error, message } = 'json' in answer ? objectOf(answer.json) : {}
  const words = answeredText(error) || answeredText(message)
  return words === '' ? '' : `: ${words.slice(0, 200)}`
}

/** Seconds only: a date, which the header may hold too, would be by another machine's clock. */
function pauseNamed(header: string | null): number | undefined {
  return header !== null && /^\d{1,6}$/.test(header.trim()) ? Number(header) * 1_000 : undefined
}

/** An answer that was cut off is not JSON either, and may be complete the next time. */
function readJson(text: string): Answer {
  try {
    return { json: JSON.parse(text) as unknown }
  } catch {
    return { fault: 'the answer is not JSON: is this the address of its API?', again: true }
  }
}

async function readBounded(response: Response, bytes: number): Promise<string | undefined> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    if (size > bytes) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** Without the slash at its end. */
export function parseAddress(address: string): string {
  const url = URL.parse(address)
  if (!url || !/^https?:$/.test(url.protocol))
    throw new UsageFault(`${address} is not an http or https address`)
  if (url.username !== '' || url.password !== '') throw new UsageFault('the key belongs in --key-file')
  const path = url.pathname.endsWith('/') ? url.pathname.slice(0, -1) : url.pathname
  return `${url.origin}${path}`
}

export function isHttp(source: string): boolean {
  return /^https?:\/\//i.test(source)
}

/** From a file, or from standard input for `-`: what is on a command line is seen by everybody on the machine. */
export function readKey(path: string | undefined): string {
  if (path === undefined)
    throw new UsageFault('--key-file is missing: a file with the key, or - for standard input')
  let text: string
  try {
    text = readFileSync(path === '-' ? 0 : path, 'utf8')
  } catch (error) {
    throw new SourceFault(`${path} cannot be read (${(error as { code?: string }).code ?? error})`)
  }
  const key = text.trim()
  if (!/^[\x21-\x7e]{1,4096}$/.test(key)) throw new SourceFault('the key must be one line without spaces')
  return key
}
