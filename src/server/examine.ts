// What the doctor finds, asked by the running instance about itself. The domains are left out: there may be thousands, and each project
// sees its own.
import { second } from '../lib/time'
import type { Context } from '../platform/context'
import { billingChecks } from './checks/billing'
import { type Check, type Finding, fail } from './checks/check'
import { databaseChecks } from './checks/database'
import { fileChecks, machineChecks } from './checks/machine'
import { mailChecks, returnedMailChecks } from './checks/mail'

const timeoutMs = 15 * second

export async function examine(ctx: Context) {
  const { config, dns } = ctx
  const checks = [
    ...machineChecks(config),
    ...mailChecks(config, dns),
    ...returnedMailChecks(config, dns),
    ...billingChecks(config),
    ...fileChecks(config),
    ...databaseChecks(config, ctx, config.role !== 'api'),
  ]
  const findings = (await Promise.all(checks.map(outcome))).flat()
  return findings.map(({ level, ...finding }) => ({
    ...finding,
    level: level === 'FAIL' ? ('fail' as const) : level,
  }))
}

/** What goes wrong in a check, or takes too long, becomes its finding; the others go on. */
async function outcome({ about, run }: Check): Promise<Finding[]> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error('no answer came in time')), timeoutMs)
  try {
    return await Promise.race([run(), promise])
  } catch (error) {
    return [fail(about, error instanceof Error ? error.message : String(error))]
  } finally {
    clearTimeout(timer)
  }
}
