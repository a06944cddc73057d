// All SQL of the emails module, by purpose.
export * from './create'
export * from './days'
export * from './delivery'
export * from './ledger'
export * from './pace'
export * from './retention'
export * from './soft-bounces'
