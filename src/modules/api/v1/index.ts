// What others may use of v1; nothing else is imported from outside.

export { v1Jobs, v1Schedules } from './jobs'
export { metadataFault } from './metadata'
export type { Submission } from './model/bodies'
export { v1Routes } from './routes'
export { sendServiceOf } from './service'
