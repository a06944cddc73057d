// Use cases of feedback.
export { applyReports } from './apply'
export { readReturned, tryMailbox } from './mailbox'
export { pruneReceipts } from './receipts'
export { receiveRelayReports } from './relays'
export {
  receiveMailedReport,
  receiveReports,
  type UnreadCall,
} from './reports'
export { receiveSns } from './sns'
