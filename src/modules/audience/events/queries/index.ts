// All SQL of events.

export type { EventRow } from './list'
export * from './list'
export * from './record'
export * from './remove'
export * from './totals'
