// What others may use of security; nothing else is imported from outside.
export { projectSuspended } from './hooks'
export { securityJobs } from './jobs'
export { securityRoutes } from './routes'
export { listProjectStates, projectExists, reinstateProject, suspendProject } from './service'
