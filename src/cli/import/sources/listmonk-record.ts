// A subscriber of listmonk with all of its subscriptions, as its database and its API have them.
import type { PeerRecord } from '../record'
import {
  blocklisted,
  getsMail,
  leftAt,
  listmonkPerson,
  proofOf,
  type Subscription,
  saidNo,
  saidOfTopics,
} from './listmonk'
import { clashes } from './listmonk-fields'

export interface ListmonkSubscriber {
  id: number
  uuid: string
  email: string
  name: string
  attribs: unknown
  status: string
  createdAt: string | undefined
  bounce: 'hard' | 'complaint' | null
}

/** `topics`: lists are topics, too; `content`: so are templates, which may name the parts of a name. */
export function subscriberRecord(
  row: ListmonkSubscriber,
  lists: readonly Subscription[],
  { topics, content }: { topics: boolean; content: boolean },
): PeerRecord {
  const given = row.attribs
  const attributes = (
    typeof given === 'object' && given !== null && !Array.isArray(given) ? given : {}
  ) as Record<string, unknown>
  const { name, createdAt } = row
  return {
    ...{ place: `subscriber ${row.id}`, email: row.email, texts: {}, oldToken: row.uuid },
    ...listmonkPerson({ name, attributes, createdAt, inParts: content }),
    subscribed: row.status === 'enabled' && lists.some(getsMail),
    ...(saidNo(row.status, lists) ? { optedOutAt: leftAt(lists) ?? 'unknown' } : {}),
    ...(row.status === 'blocklisted' ? { suppressed: reasonOf(row) } : {}),
    consent: proofOf(lists),
    without: clashes(attributes),
    lists: row.status === 'enabled' ? lists.filter(getsMail).map(list => list.name) : [],
    topics: topics ? saidOfTopics(row.status, lists) : [],
  }
}

function reasonOf({ bounce }: ListmonkSubscriber): PeerRecord['suppressed'] {
  if (bounce === 'hard') return { reason: 'bounce', source: 'listmonk: blocklisted after a hard bounce' }
  if (bounce === 'complaint')
    return { reason: 'complaint', source: 'listmonk: blocklisted after a complaint' }
  return blocklisted
}
