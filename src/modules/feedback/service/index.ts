// Use cases of feedback.
export type { SignedCall } from '../webhook-signature'
export { type AppliedReports, applyReports } from './apply'
export { forgetReceipts } from './receipts'
export { type ReportsAnswer, receiveMailedReport, receiveReports } from './reports'
export { receiveSns, type SnsAnswer } from './sns'
export { liftSuppression, listSuppressions, suppressAddresses } from './suppressions'
