// Use cases of billing.
export {
  cancelSubscription,
  describeConsumption,
  endBillingOf,
  findSubscriber,
  listInvoices,
  nameCustomer,
  openPortal,
  startCheckout,
} from './account'
export { excessesOf } from './allowance'
export { receiveEvent } from './events'
export { changeLimits, describeLimits, grantLimits } from './limits'
export { warnMembers } from './notices'
export { countUsage, overdueMs, pruneUsageReports, reportUsage, resumeReports, tellReport } from './reports'
