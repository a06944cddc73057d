// What events can do for routes, jobs and the modules above.
export type { EventRow, HeardEvent } from '../queries'
export * from './list'
export * from './record'
export * from './remove'
