// The vocabulary of the audit log: what is recorded about a change, and by whom. Secrets have no place in it, neither old nor new ones.

export const auditActions = [
  'project.created',
  'project.updated',
  'project.brandChanged',
  'project.keysRegenerated',
  'project.webhookSecretRotated',
  'key.created',
  'key.revoked',
  'project.reset',
  'project.deleted',
  'project.secondFactorRequired',
  'project.secondFactorOptional',
  'project.approvalRequired',
  'project.approvalOptional',
  'project.suspended',
  'project.reinstated',
  'member.invited',
  'member.added',
  'member.roleChanged',
  'member.removed',
  'member.secondFactorAdded',
  'member.secondFactorRemoved',
  'invitation.revoked',
  'domain.added',
  'domain.removed',
  'domain.keyRotated',
  'domain.signerChanged',
  'domain.warmUpStarted',
  'domain.warmUpChanged',
  'domain.warmUpStopped',
  'campaign.sent',
  'campaign.scheduled',
  'campaign.unscheduled',
  'campaign.approvalRequested',
  'campaign.approved',
  'campaign.declined',
  'campaign.approvalEnded',
  'campaign.cancelled',
  'campaign.paused',
  'campaign.resumed',
  'campaign.receiverLeftOut',
  'campaign.retried',
  'campaign.decided',
  'campaign.undecided',
  'suppression.added',
  'suppression.removed',
  'contact.erased',
  'retention.changed',
  'topic.added',
  'topic.changed',
  'topic.removed',
  'form.added',
  'form.changed',
  'form.removed',
  'webhook.added',
  'webhook.changed',
  'webhook.removed',
  'webhook.secretRotated',
  'billing.limitsChanged',
  'billing.subscribed',
  'billing.unsubscribed',
] as const

export type AuditAction = (typeof auditActions)[number]

export type AuditDetails = Record<string, string | number | boolean | null>

/** What is done by the program itself: a schedule, a report of a provider, a threshold. */
export const systemActor = 'system'

/** What the log calls a key: enough to tell two keys apart, and nothing that opens anything. */
export function actorOfKey(key: string): string {
  return key.slice(0, 11)
}

const maxSubjectLength = 300
const maxValueLength = 500
const maxValues = 20

/** Details within their bounds: what people write into names may be long, and a record must never make the change fail. */
export function boundedDetails(details: AuditDetails): AuditDetails {
  return Object.fromEntries(
    Object.entries(details)
      .slice(0, maxValues)
      .map(([key, value]) => [key, typeof value === 'string' ? cut(value, maxValueLength) : value]),
  )
}

export function boundedSubject(subject: string): string {
  return cut(subject, maxSubjectLength)
}

/** Whole characters, and none that the database refuses. */
function cut(text: string, length: number): string {
  const clean = text.replaceAll('\0', '').toWellFormed()
  return clean.length <= length ? clean : clean.slice(0, length).replace(/[\uD800-\uDBFF]$/, '')
}
