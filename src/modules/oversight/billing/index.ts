// What others may use of billing; nothing else is imported from outside.
export { allowancesOf, maxLimit, type PerCategory } from './allowance'
export { billingJobs, billingSchedules } from './jobs'
export { countOverdueReports } from './queries'
export { billingRoutes } from './routes'
export { countUsage, endBillingOf, excessesOf, grantLimits, overdueMs } from './service'
