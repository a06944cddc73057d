// The SES transport: raw messages through the API of Amazon SES v2. SES signs them, tells later what became of them, and sets the pace.
import { unshared } from '../../lib/headroom'
import { minute, second } from '../../lib/time'
import type { FinishedMessage, SendResult } from '../../mail/message'
import { checkSes } from './ses-check'
import { type SesClient, type SesOptions, sesClient } from './ses-client'
import { sesIdentities } from './ses-identities'
import { outcomeOfFault, readFault, tagsOf } from './ses-outcome'
import type { Transport } from './transport'

export interface SesTransportOptions extends SesOptions {
  configurationSet?: string
  /** Preferred: opens and clicks are counted by our own links, and a second set of them helps nobody. */
  configurationSetNoTracking?: string
  /** How long SES may take over one message; by default half a minute, and more for large ones. */
  timeLimitMs?: number
}

export function sesTransport(options: SesTransportOptions): Transport {
  const client = sesClient(options)
  const configurationSet = options.configurationSetNoTracking ?? options.configurationSet
  return {
    name: 'ses',
    signsItself: false,
    currentRate: rateKeeper(client),
    identities: sesIdentities(client),
    send: message => send(client, message, { ...options, configurationSet }),
    verify: () => checkSes(client, { ...options, configurationSet }),
    close: async () => client.close(),
  }
}

/** A minute for the largest message on a slow line; a second more for each half megabyte. */
export function sesTimeLimit(bytes: number): number {
  return 30 * second + (bytes / (512 * 1024)) * second
}

async function send(
  client: SesClient,
  { id, envelope, raw }: FinishedMessage,
  { configurationSet, timeLimitMs = sesTimeLimit(raw.length) }: SesTransportOptions,
): Promise<SendResult> {
  const input = {
    FromEmailAddress: envelope.from,
    Destination: { ToAddresses: [envelope.to, ...(envelope.also ?? [])] },
    Content: { Raw: { Data: unshared(raw) } },
    ...(configurationSet ? { ConfigurationSetName: configurationSet } : {}),
    EmailTags: tagsOf(id),
  }
  try {
    const { MessageId } = await client.call((ses, bounds) => ses.sendEmail(input, bounds), timeLimitMs)
    // Taken is taken, with an id or without.
    const providerId = MessageId ? { providerId: MessageId } : {}
    return { outcome: 'accepted', delivered: false, response: `accepted as ${MessageId}`, ...providerId }
  } catch (error) {
    return outcomeOfFault(readFault(error), envelope.to)
  }
}

/** What an account may send that does not let us look (the reference's figure). */
const rateInTheDark = 14
const freshMs = 10 * minute
const retryMs = minute

/**
 * The account's messages a second, asked for again every ten minutes while mail leaves. Only the very first sender waits for it;
 * where SES does not say, a modest rate is used, and a minute later it is asked again.
 */
function rateKeeper(client: SesClient): () => Promise<number> {
  let known: number | undefined
  let asking: Promise<void> | undefined
  let askAgainAt = 0
  const ask = async (): Promise<void> => {
    try {
      const { SendQuota } = await client.manage((ses, bounds) => ses.getAccount({}, bounds))
      known = SendQuota?.MaxSendRate || undefined
    } catch {
      // `doctor` says why; sending goes on.
    }
    askAgainAt = performance.now() + (known === undefined ? retryMs : freshMs)
    asking = undefined
  }
  return async () => {
    if (asking === undefined && performance.now() >= askAgainAt) asking = ask()
    if (known === undefined && asking) await asking
    return known ?? rateInTheDark
  }
}
