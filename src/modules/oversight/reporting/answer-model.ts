// The one place where rows of the feed become activities as clients see them. Pure. Bodies of messages are left out: a page of large
// ones would take megabytes; GET /emails/:id has them.
import type { Static } from '@sinclair/typebox'
import { sentenceOf } from '../../../platform/transports/reason'
import type { activityAnswer } from './model'
import type { FeedRow, Outline, UpcomingCampaign, UpcomingEmail, WaitingExecution } from './queries'
import { type ActivityType, typeOfEvent } from './types'
import type { Ahead } from './upcoming'

export type Upcoming =
  | { kind: 'campaign'; campaign: UpcomingCampaign }
  | { kind: 'email'; email: UpcomingEmail }
  | { kind: 'execution'; execution: WaitingExecution; outline: Outline | undefined; ahead: Ahead }

type Activity = Static<typeof activityAnswer>
type Values = Record<string, unknown>

export function toActivity(row: FeedRow): Activity {
  const { contactId, contactEmail, at } = row
  return {
    ...head(row),
    timestamp: at.toISOString(),
    ...present({ contactId, contactEmail }),
  } as Activity
}

function head(row: FeedRow): Pick<Activity, 'id' | 'type' | 'metadata'> {
  const { workflowName, status, exitReason } = row
  if (row.source !== 'event')
    return {
      id: `${row.id}_${row.source}`,
      type: `workflow.${row.source}`,
      metadata: { ...present({ workflowName }), status, exitReason },
    }
  const type = typeOfEvent(row.name!)
  if (type.startsWith('email.')) return { id: mailId(row, type), type, metadata: mailFacts(row, type) }
  const event = { eventName: row.name, eventData: row.data }
  if (type === 'event.triggered') return { id: row.id, type, metadata: event }
  return { id: row.id, type, metadata: { ...event, ...causeOf(row) } }
}

/** Each kind happens once per message, except soft bounces, of which there may be several. */
function mailId({ id, emailId, data }: FeedRow, type: ActivityType): string {
  return emailId === null || data?.['transientBounce'] === true
    ? id
    : `${emailId}_${type.slice('email.'.length)}`
}

/** From the message where it is there, otherwise from what its event says. For inbound mail, the event knows who wrote it. */
function mailFacts(row: FeedRow, type: ActivityType): Values {
  const data = row.data ?? {}
  const isOurs = row.sourceType !== null && type !== 'email.received'
  return {
    ...present({ emailId: row.emailId }),
    subject: isOurs ? row.subject : (data['subject'] ?? null),
    from: isOurs ? row.fromEmail : (data['from'] ?? null),
    fromName: isOurs ? row.fromName : (data['fromName'] ?? null),
    ...(type === 'email.received' ? present({ to: data['to'] }) : {}),
    replyTo: row.replyTo,
    toName: row.toName,
    sourceType: row.sourceType ?? data['sourceType'] ?? null,
    ...present({ campaignName: row.campaignName, workflowName: row.workflowName }),
    ...outcomeOf(row, type),
  }
}

function outcomeOf({ opens, clicks, reason, reasonDetail, data }: FeedRow, type: ActivityType): Values {
  const error = sentenceOf({ reason, reasonDetail })
  switch (type) {
    case 'email.opened':
      return present({ totalOpens: opens })
    case 'email.clicked':
      return present({ totalClicks: clicks, link: data?.['link'] })
    case 'email.bounced':
      return present({
        ...{ error, reason, bounceType: data?.['bounceType'] },
        transientBounce: data?.['transientBounce'],
      })
    case 'email.complaint':
      return present({ error, reason })
    default:
      return {}
  }
}

/** The message by which somebody opted out or came back. */
function causeOf({ emailId, subject, campaignName, workflowName }: FeedRow): Values {
  if (emailId === null) return {}
  return present({ sourceEmailId: emailId, sourceSubject: subject, campaignName, workflowName })
}

export function toUpcomingActivity(upcoming: Upcoming): Activity {
  if (upcoming.kind === 'campaign') return campaignAhead(upcoming)
  return upcoming.kind === 'email' ? emailAhead(upcoming) : executionAhead(upcoming)
}

function emailAhead({ email }: Upcoming & { kind: 'email' }): Activity {
  const { id, at, contactId, contactEmail, subject, toName, templateId } = email
  return {
    id: `email_${id}_scheduled`,
    type: 'email.scheduled',
    timestamp: at.toISOString(),
    ...{ contactId, contactEmail },
    metadata: { emailId: id, subject, ...present({ toName, templateId }) },
  }
}

function campaignAhead({ campaign }: Upcoming & { kind: 'campaign' }): Activity {
  const { id, at, name, subject, totalRecipients, segmentName, audienceType } = campaign
  return {
    id: `campaign_${id}_scheduled`,
    type: 'campaign.scheduled',
    timestamp: at.toISOString(),
    metadata: { campaignId: id, campaignName: name, subject, totalRecipients, segmentName, audienceType },
  }
}

/** An execution that leads to no message before it waits again is still something that is going to happen. */
function executionAhead({ execution, outline, ahead }: Upcoming & { kind: 'execution' }): Activity {
  const subjects = new Map(outline?.templates.map(template => [template.id, template.subject]))
  const emails = ahead.mails.map(({ stepName, templateId }) => ({
    stepName,
    subject: (templateId !== null && subjects.get(templateId)) || null,
  }))
  const waitingAt = outline?.steps.find(step => step.id === execution.currentStepId)
  const { id, workflowId, contactId, contactEmail, waitEvent, startedAt } = execution
  return {
    id: `workflow_step_${id}_scheduled`,
    type: emails.length > 0 ? 'workflow.email.scheduled' : 'workflow.scheduled',
    timestamp: execution.at.toISOString(),
    ...present({ contactId, contactEmail }),
    metadata: {
      workflowId,
      executionId: id,
      ...present({ workflowName: outline?.workflowName, waitingAt: waitingAt?.name }),
      ...(emails[0] ? { ...emails[0], emails, isConditional: ahead.isConditional } : {}),
      ...present({ waitEvent }),
      startedAt: startedAt.toISOString(),
    },
  }
}

/** Without the members that say nothing. */
function present(values: Values): Values {
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== null && value !== undefined),
  )
}
