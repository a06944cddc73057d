// All SQL of events.
export * from './list'
export * from './move'
export * from './record'
export * from './remove'
export type { EventRow } from './rows'
export * from './totals'
