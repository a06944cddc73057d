// What others may use of retention; nothing else is imported from outside.
export { retentionJobs, retentionSchedules } from './jobs'
export { retentionRoutes } from './routes'
