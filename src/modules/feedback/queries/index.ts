// All SQL of feedback, by purpose.
export * from './apply'
export * from './inbound'
export * from './mails'
export * from './receipts'
