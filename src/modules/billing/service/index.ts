// Use cases of billing.
export { describeConsumption, findSubscriber, listInvoices, openPortal, startCheckout } from './account'
export { excessesOf } from './allowance'
export { receiveEvent } from './events'
export { changeLimits, describeLimits, grantLimits } from './limits'
export { warnMembers } from './notices'
export { overdueMs, resumeReports, tellReport } from './reports'
export { cancelSubscription, endBillingOf, nameCustomer } from './subscription'
export { countUsage, pruneUsageReports, reportUsage } from './usage'
