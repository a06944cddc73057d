// What a file or another program may decide about topics for contacts: nobody who left a topic, opted out of everything or is taking a break is
// subscribed by it, and a no always counts. Pure.

export interface ImportedDecision {
  contactId: string
  topicId: string
  subscribed: boolean
  /** When the person decided, and what another program recorded of it. */
  at?: Date | undefined
  evidence?: string | undefined
}

export interface TopicStandings {
  /** Contacts that may be subscribed to something. */
  open: ReadonlySet<string>
  /** What was decided before, by `decisionKey`. */
  decided: ReadonlyMap<string, boolean>
  /** What holds without a decision, by topic. */
  defaults: ReadonlyMap<string, boolean>
  /** Contacts of imports that can still be undone: there a no is written again, or undoing would take the first one back. */
  held: ReadonlySet<string>
}

export interface ImportedDecisions {
  written: ImportedDecision[]
  /** Those that change what the contact gets. */
  changes: Array<{
    contactId: string
    topicId: string
    before: 'subscribed' | 'notAsked'
    after: 'subscribed' | 'optedOut'
    at?: Date | undefined
    evidence?: string | undefined
  }>
  /** Each yes that changes nothing, because the contact said no, by `decisionKey`. */
  leftOut: Set<string>
}

export function decisionKey({ contactId, topicId }: Pick<ImportedDecision, 'contactId' | 'topicId'>): string {
  return `${contactId} ${topicId}`
}

export function decideImported(
  asked: readonly ImportedDecision[],
  { open, decided, defaults, held }: TopicStandings,
): ImportedDecisions {
  const result: ImportedDecisions = { written: [], changes: [], leftOut: new Set() }
  for (const [key, decision] of oneEach(asked)) {
    const { contactId, topicId, subscribed, at, evidence } = decision
    const before = decided.get(key)
    if (before === subscribed && (subscribed || !held.has(contactId))) continue
    if (subscribed && (before === false || !open.has(contactId))) {
      result.leftOut.add(key)
      continue
    }
    result.written.push(decision)
    const wanted = before ?? defaults.get(topicId) === true
    if (wanted === subscribed) continue
    result.changes.push({
      ...{ contactId, topicId, at, evidence },
      // Only a yes can follow a no, and none does here.
      before: wanted ? 'subscribed' : 'notAsked',
      after: subscribed ? 'subscribed' : 'optedOut',
    })
  }
  return result
}

/** Of several about one topic and contact the no counts, as it would one after another. */
function oneEach(asked: readonly ImportedDecision[]): Map<string, ImportedDecision> {
  const found = new Map<string, ImportedDecision>()
  for (const decision of asked) {
    const key = decisionKey(decision)
    if (found.get(key)?.subscribed !== false) found.set(key, decision)
  }
  return found
}
