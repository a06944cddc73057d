// The events that a delivery gives rise to, with the data they are documented to carry.
import type { DueEmail, Settlement } from './queries'

export interface DeliveryEvent {
  name: 'email.sent' | 'email.delivery' | 'email.bounce'
  contactId: string
  emailId: string
  data: Record<string, unknown>
}

/** Events of settled messages, by project. */
export function deliveryEvents(
  settled: Array<{ email: DueEmail; settlement: Settlement }>,
): Map<string, DeliveryEvent[]> {
  const events = new Map<string, DeliveryEvent[]>()
  for (const { email, settlement } of settled) {
    const list = events.get(email.projectId) ?? []
    list.push(...eventsOf(email, settlement))
    events.set(email.projectId, list)
  }
  return events
}

function eventsOf(email: DueEmail, { sentAt, deliveredAt, bouncedAt }: Settlement): DeliveryEvent[] {
  const base = { contactId: email.contactId, emailId: email.id }
  const data = emailFacts(email)
  const events: DeliveryEvent[] = []
  if (sentAt) events.push({ ...base, name: 'email.sent', data: { ...data, sentAt: sentAt.toISOString() } })
  if (deliveredAt)
    events.push({ ...base, name: 'email.delivery', data: { ...data, deliveredAt: deliveredAt.toISOString() } })
  if (bouncedAt)
    events.push({
      ...base,
      name: 'email.bounce',
      data: { ...data, bounceType: 'Permanent', bouncedAt: bouncedAt.toISOString() },
    })
  return events
}

/** The members that all events about a message share. */
function emailFacts(email: DueEmail): Record<string, unknown> {
  return {
    subject: email.subject,
    from: email.fromEmail,
    fromName: email.fromName,
    messageId: email.messageId,
    emailId: email.id,
    templateId: email.templateId,
    campaignId: email.campaignId,
    sourceType: email.sourceType,
  }
}
