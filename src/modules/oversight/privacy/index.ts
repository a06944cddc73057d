// What others may use of privacy; nothing else is imported from outside.
export { personErased } from './hooks'
export { privacyJobs, privacySchedules } from './jobs'
export { privacyRoutes } from './routes/pages'
export { retentionRoutes } from './routes/retention'
export { eraseAddress } from './service/erase'
