// The one place that speaks to Amazon SES, over one client with kept connections. The SDK takes 130 ms and 28 MB to load, so the
// first call loads it and whoever sends another way never pays. It repeats nothing by itself: when to try again is the caller's business.
import type { SESv2 } from '@aws-sdk/client-sesv2'
import { semaphore } from '../../lib/semaphore'
import { second, sleep } from '../../lib/time'
import { isThrottled, readFault } from './ses-outcome'

export interface SesOptions {
  region: string
  /** Undefined: as the SDK finds them (environment, profile, role of the machine). */
  credentials?: { accessKeyId: string; secretAccessKey: string }
  /** Undefined: Amazon's own. */
  endpoint?: string
  /** Waits between attempts of calls about the account; by default 1, 2 and 4 s. */
  pausesMs?: readonly number[]
  /** How long such a call may keep the next one waiting. */
  turnMs?: number
}

interface Bounded {
  abortSignal: AbortSignal
}

export type SesWork<T> = (ses: SESv2, bounds: Bounded) => Promise<T>

export interface SesClient {
  /** One attempt, cut off after `timeLimitMs`. */
  call<T>(work: SesWork<T>, timeLimitMs: number): Promise<T>
  /**
   * For calls about the account and its domains, of which SES allows about one a second: one after another as long as they are
   * answered within that second, and again where throttled. One that hangs keeps the others waiting no longer.
   */
  manage<T>(work: SesWork<T>): Promise<T>
  close(): void
}

/** As many messages as a process has on their way. */
const maxConnections = 64
const connectLimitMs = 5 * second
const manageLimitMs = 10 * second

export function sesClient(options: SesOptions): SesClient {
  const inTurn = semaphore(1)
  const pauses = options.pausesMs ?? [second, 2 * second, 4 * second]
  let opened: Promise<SESv2> | undefined
  const ready = (): Promise<SESv2> => {
    opened ??= open(options)
    return opened
  }
  const call = async <T>(work: SesWork<T>, timeLimitMs: number): Promise<T> =>
    await work(await ready(), { abortSignal: AbortSignal.timeout(timeLimitMs) })

  const turnMs = options.turnMs ?? second
  const once = async <T>(work: SesWork<T>): Promise<T> => {
    const { answer } = await inTurn(async () => {
      const answer = call(work, manageLimitMs)
      await settledOrAfter(answer, turnMs)
      return { answer }
    })
    return await answer
  }
  const patiently = async <T>(work: SesWork<T>): Promise<T> => {
    for (const pause of pauses) {
      try {
        return await once(work)
      } catch (error) {
        if (!isThrottled(readFault(error))) throw error
        // It is the account that is throttled, so nobody else would fare better meanwhile.
        await inTurn(() => sleep(pause))
      }
    }
    return await once(work)
  }

  return {
    call,
    manage: patiently,
    // One that could not be opened has nothing to close.
    close: () => void opened?.then(ses => ses.destroy()).catch(() => {}),
  }
}

/** Whatever comes of `work`: until it has ended, and no longer than that. */
async function settledOrAfter(work: Promise<unknown>, ms: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  const end = (): void => resolve()
  work.then(end, end)
  await promise
  clearTimeout(timer)
}

async function open({ region, credentials, endpoint }: SesOptions): Promise<SESv2> {
  const sdk = await import('@aws-sdk/client-sesv2')
  return new sdk.SESv2({
    region,
    ...(credentials ? { credentials } : {}),
    ...(endpoint ? { endpoint } : {}),
    maxAttempts: 1,
    requestHandler: {
      connectionTimeout: connectLimitMs,
      httpAgent: { keepAlive: true, maxSockets: maxConnections },
      httpsAgent: { keepAlive: true, maxSockets: maxConnections },
    },
  })
}
