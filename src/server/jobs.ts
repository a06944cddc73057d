// All background work: every module's handlers and schedules in one table.

import { projectJobs, projectSchedules } from '../modules/accounts/projects'
import { systemEmailJobs, systemEmailSchedules } from '../modules/accounts/system-emails'
import { userJobs, userSchedules } from '../modules/accounts/users'
import { v1Jobs, v1Schedules } from '../modules/api/v1'
import { webhookJobs, webhookSchedules } from '../modules/api/webhooks'
import { contactJobs, contactSchedules } from '../modules/audience/contacts'
import { eventJobs, eventSchedules } from '../modules/audience/events'
import { campaignJobs, campaignSchedules } from '../modules/features/campaigns'
import { formJobs, formSchedules } from '../modules/features/forms'
import { segmentJobs, segmentSchedules } from '../modules/features/segments'
import { workflowJobs, workflowSchedules } from '../modules/features/workflows'
import { billingJobs, billingSchedules } from '../modules/oversight/billing'
import { privacyJobs, privacySchedules } from '../modules/oversight/privacy'
import { securityJobs } from '../modules/oversight/security'
import { deliveryJobs, deliverySchedules } from '../modules/sending/delivery'
import { domainJobs, domainSchedules } from '../modules/sending/domains'
import { emailJobs, emailSchedules } from '../modules/sending/emails'
import { receiptJobs, receiptSchedules, trackingJobs, trackingSchedules } from '../modules/sending/feedback'
import { templateJobs } from '../modules/sending/templates'
import type { Context } from '../platform/context'
import { backfillJobs, backfillSchedules } from '../platform/db/migration/jobs'
import { migrations } from '../platform/db/migrations'
import { monthJobs, monthSchedules } from '../platform/db/partition/jobs'
import { type HandlerTable, handlerTable } from '../platform/jobs/kind'
import { queueJobs, queueSchedules, type Schedule } from '../platform/jobs/schedule'
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
    ...queueSchedules,
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
