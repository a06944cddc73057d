// Use cases of feedback.
export type { SignedCall } from '../webhook-signature'
export { applyReports } from './apply'
export { readReturned, tryMailbox } from './mailbox'
export { pruneReceipts } from './receipts'
export { receiveRelayReports } from './relays'
export { receiveMailedReport, receiveReports, receiveReturnedMail, returnedTo } from './reports'
export { receiveSns } from './sns'
