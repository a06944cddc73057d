// All background work: every module's handlers and schedules in one table.
import type { Config } from './config'
import { domainJobs, domainSchedules } from './modules/domains/jobs'
import { emailJobs } from './modules/emails/jobs'
import { v1Jobs, v1Schedules } from './modules/v1/jobs'
import type { Context } from './platform/context'
import { queueJobs, queueSchedules } from './platform/jobs/chores'
import { type HandlerTable, handlerTable } from './platform/jobs/handlers'
import type { Schedule } from './platform/jobs/schedule'

export function jobHandlers(ctx: Context): HandlerTable {
  return handlerTable({ ...queueJobs, ...domainJobs, ...emailJobs(ctx), ...v1Jobs })
}

export function schedules(config: Config): Schedule[] {
  return [...queueSchedules(), ...domainSchedules(config), ...v1Schedules]
}
