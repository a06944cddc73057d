// What others may use of webhooks; nothing else is imported from outside.
export { webhookJobs, webhookSchedules } from './jobs'
export { webhookEndpointRoutes } from './routes'
export { announceEvents, deleteDeliveriesOf } from './service'
