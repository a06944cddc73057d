// All SQL of feedback, by purpose.
export * from './inbound'
export * from './mails'
export * from './receipts'
export * from './returned'
