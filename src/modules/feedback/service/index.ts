// Use cases of feedback.
export { type AppliedReports, applyReports } from './apply'
export { forgetReceipts } from './receipts'
export { receiveSns, type SnsAnswer } from './sns'
