// The event of a campaign that Waxwing itself paused: for one mailbox provider, or as a whole.
import type { Context } from '../../../../platform/context'
import { recordEvents } from '../../../audience/events'
import type { CampaignRow } from '../queries'

interface Pause {
  /** The other side's last words, or why nothing is sent. */
  response: string
  /** When Waxwing tries again; null where a person has to resume it. */
  nextTryAt: Date | null
  /** Undefined for a pause as a whole. */
  provider?: { receiver: string; heldCount: number; refusedCount: number; answerCount: number }
}

/** In the transaction of the pause. It is about no contact, so it starts no workflow. */
export async function recordPause(
  tx: Context,
  { id, projectId, name }: Pick<CampaignRow, 'id' | 'projectId' | 'name'>,
  { response, nextTryAt, provider }: Pause,
): Promise<void> {
  const data = {
    ...{ campaignId: id, name, receiver: null, response },
    ...provider,
    nextTryAt: nextTryAt?.toISOString() ?? null,
  }
  await recordEvents(tx, projectId, [{ name: 'campaign.paused', data }])
}

/** An event without a contact outlives the erasure of one, so it does not name whom the message was for. */
export function withoutRecipient(words: string, address: string): string {
  const wanted = address.toLowerCase()
  return words
    .split(/([\s<>(),;:"[\]]+)/)
    .map(word => (word.replace(/\.$/, '').toLowerCase() === wanted ? '…' : word))
    .join('')
}
