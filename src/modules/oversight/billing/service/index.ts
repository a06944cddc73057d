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
export { receiveEvent } from './events'
export { changeLimits, describeLimits, excessesOf, grantLimits } from './limits'
export { warnMembers } from './notices'
export { countUsage, overdueMs, pruneUsageReports, reportUsage, resumeReports, tellReport } from './reports'
