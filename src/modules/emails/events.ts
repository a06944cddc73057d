// The events that a delivery gives rise to, with the data they are documented to carry.
import type { DueEmail, EmailSettlement } from './queries'

/** In the shape that the service of events takes. */
export interface DeliveryEvent {
  projectId: string
  name: 'email.sent' | 'email.delivery' | 'email.bounce'
  contactId: string
  emailId: string
  hops?: number | null
  data: Record<string, unknown>
}

export function deliveryEvents(settled: readonly EmailSettlement[]): DeliveryEvent[] {
  return settled.flatMap(eventsOf)
}

function eventsOf({ email, outcome }: EmailSettlement): DeliveryEvent[] {
  const { sentAt, deliveredAt, bouncedAt, gaveUp } = outcome
  const { projectId, contactId, id: emailId, hops } = email
  const base = { projectId, contactId, emailId, hops }
  const data = emailFacts(email)
  const events: DeliveryEvent[] = []
  if (sentAt) events.push({ ...base, name: 'email.sent', data: { ...data, sentAt: sentAt.toISOString() } })
  if (deliveredAt)
    events.push({
      ...base,
      name: 'email.delivery',
      data: { ...data, deliveredAt: deliveredAt.toISOString() },
    })
  if (bouncedAt)
    events.push({
      ...base,
      name: 'email.bounce',
      data: { ...data, bounceType: 'Permanent', bouncedAt: bouncedAt.toISOString() },
    })
  if (gaveUp)
    events.push({
      ...base,
      name: 'email.bounce',
      data: { ...data, bounceType: 'Transient', transientBounce: true },
    })
  return events
}

export type EmailFacts = Pick<
  DueEmail,
  'id' | 'subject' | 'fromEmail' | 'fromName' | 'messageId' | 'templateId' | 'campaignId' | 'sourceType'
> &
  Partial<Pick<DueEmail, 'tags' | 'metadata'>>

/** The members that all events about a message share. */
export function emailFacts(email: EmailFacts): Record<string, unknown> {
  return {
    subject: email.subject,
    from: email.fromEmail,
    fromName: email.fromName,
    messageId: `<${email.messageId}>`,
    emailId: email.id,
    templateId: email.templateId,
    campaignId: email.campaignId,
    sourceType: email.sourceType,
    ...(email.tags ? { tags: email.tags } : {}),
    ...(email.metadata ? { metadata: email.metadata } : {}),
  }
}
