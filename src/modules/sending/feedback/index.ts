// What others may use of feedback; nothing else is imported from outside.

export { messagesReported } from './hooks'
export { receiptJobs, receiptSchedules } from './jobs/receipts'
export { trackingJobs, trackingSchedules } from './jobs/tracking'
export type { ReducedMail } from './reduced-mail'
export { trackingRoutes } from './routes/tracking'
export { webhookRoutes } from './routes/webhooks'
export { returnedOutcomes } from './schema'
export { tryMailbox } from './service'
export { startInbound } from './service/listener'
export { hitRecorder } from './service/record-hits'
export { countReturned } from './service/returned'
export { complainOfSimulated } from './service/simulated'
