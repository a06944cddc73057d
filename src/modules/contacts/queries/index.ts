// All SQL of contacts. Whatever changes contacts goes through these statements, because they keep the counts.
export * from './change'
export * from './list'
export type { ContactRow } from './rows'
export * from './totals'
export * from './upsert'
