// What contacts can do for routes, jobs and the modules above.
export type { ContactEntry, ProjectEntry } from '../entries'
export type { ContactRow } from '../queries'
export * from './create'
export * from './flips'
export * from './fold'
export * from './list'
export * from './single'
export * from './upsert'
