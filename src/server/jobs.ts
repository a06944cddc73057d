// All background work: every module's handlers and schedules in one table.

import { billingJobs, billingSchedules } from '../modules/billing'
import { campaignJobs, campaignSchedules } from '../modules/campaigns'
import { contactJobs, contactSchedules } from '../modules/contacts'
import { deliveryJobs, deliverySchedules } from '../modules/delivery'
import { domainJobs, domainSchedules } from '../modules/domains'
import { emailJobs, emailSchedules } from '../modules/emails'
import { eventJobs, eventSchedules } from '../modules/events'
import { receiptJobs, receiptSchedules, trackingJobs, trackingSchedules } from '../modules/feedback'
import { formJobs, formSchedules } from '../modules/forms'
import { privacyJobs, privacySchedules } from '../modules/privacy'
import { projectJobs, projectSchedules } from '../modules/projects'
import { securityJobs } from '../modules/security'
import { segmentJobs, segmentSchedules } from '../modules/segments'
import { systemEmailJobs, systemEmailSchedules } from '../modules/system-emails'
import { templateJobs } from '../modules/templates'
import { userJobs, userSchedules } from '../modules/users'
import { v1Jobs, v1Schedules } from '../modules/v1'
import { webhookJobs, webhookSchedules } from '../modules/webhooks'
import { workflowJobs, workflowSchedules } from '../modules/workflows'
import type { Context } from '../platform/context'
import { backfillJobs, backfillSchedules } from '../platform/db/migration/jobs'
import { migrations } from '../platform/db/migrations'
import { monthJobs, monthSchedules } from '../platform/db/partition/jobs'
import { queueJobs, queueSchedules } from '../platform/jobs/chores'
import { type HandlerTable, handlerTable } from '../platform/jobs/handlers'
import type { Schedule } from '../platform/jobs/schedule'
import type { Config } from '../settings/config'

export function jobHandlers(ctx: Context): HandlerTable {
  return handlerTable([
    ...queueJobs,
    ...backfillJobs(migrations),
    ...monthJobs,
    ...systemEmailJobs,
    ...projectJobs,
    ...userJobs,
    ...domainJobs,
    ...eventJobs,
    ...contactJobs,
    ...templateJobs,
    ...segmentJobs,
    ...emailJobs,
    ...deliveryJobs(ctx),
    ...trackingJobs,
    ...receiptJobs,
    ...campaignJobs(ctx),
    ...workflowJobs(ctx),
    ...webhookJobs(ctx),
    ...securityJobs,
    ...billingJobs,
    ...formJobs,
    ...privacyJobs,
    ...v1Jobs,
  ])
}

export function allSchedules(config: Config): Schedule[] {
  return [
    ...queueSchedules(),
    ...backfillSchedules,
    ...monthSchedules,
    ...systemEmailSchedules,
    ...projectSchedules,
    ...userSchedules,
    ...domainSchedules(config),
    ...eventSchedules,
    ...contactSchedules,
    ...emailSchedules,
    ...deliverySchedules,
    ...segmentSchedules,
    ...trackingSchedules,
    ...receiptSchedules(config),
    ...campaignSchedules,
    ...workflowSchedules,
    ...billingSchedules(config),
    ...webhookSchedules,
    ...formSchedules,
    ...privacySchedules,
    ...v1Schedules,
  ]
}
