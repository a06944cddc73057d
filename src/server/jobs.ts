// All background work: every module's handlers and schedules in one table.

import { billingJobs, billingSchedules } from '../modules/billing/jobs'
import { campaignJobs, campaignSchedules } from '../modules/campaigns/jobs'
import { contactJobs, contactSchedules } from '../modules/contacts/jobs'
import { domainJobs, domainSchedules } from '../modules/domains/jobs'
import { emailJobs, emailSchedules } from '../modules/emails/jobs'
import { eventJobs, eventSchedules } from '../modules/events/jobs'
import { receiptJobs, receiptSchedules } from '../modules/feedback/jobs/receipts'
import { trackingJobs, trackingSchedules } from '../modules/feedback/jobs/tracking'
import { letterJobs, letterSchedules } from '../modules/letters/jobs'
import { projectJobs, projectSchedules } from '../modules/projects/jobs'
import { securityJobs } from '../modules/security/jobs'
import { segmentJobs, segmentSchedules } from '../modules/segments/jobs'
import { templateJobs } from '../modules/templates/jobs'
import { userJobs, userSchedules } from '../modules/users/jobs'
import { v1Jobs, v1Schedules } from '../modules/v1/jobs'
import { workflowJobs, workflowSchedules } from '../modules/workflows/jobs'
import type { Context } from '../platform/context'
import { queueJobs, queueSchedules } from '../platform/jobs/chores'
import { type HandlerTable, handlerTable } from '../platform/jobs/handlers'
import type { Schedule } from '../platform/jobs/schedule'
import type { Config } from '../settings/config'

export function jobHandlers(ctx: Context): HandlerTable {
  return handlerTable([
    ...queueJobs,
    ...letterJobs,
    ...projectJobs,
    ...userJobs,
    ...domainJobs,
    ...eventJobs,
    ...contactJobs,
    ...templateJobs,
    ...segmentJobs,
    ...emailJobs(ctx),
    ...trackingJobs,
    ...receiptJobs,
    ...campaignJobs(ctx),
    ...workflowJobs(ctx),
    ...securityJobs,
    ...billingJobs,
    ...v1Jobs,
  ])
}

export function schedules(config: Config): Schedule[] {
  return [
    ...queueSchedules(),
    ...letterSchedules,
    ...projectSchedules,
    ...userSchedules,
    ...domainSchedules(config),
    ...eventSchedules,
    ...contactSchedules,
    ...emailSchedules,
    ...segmentSchedules,
    ...trackingSchedules,
    ...receiptSchedules,
    ...campaignSchedules,
    ...workflowSchedules,
    ...billingSchedules(config),
    ...v1Schedules,
  ]
}
