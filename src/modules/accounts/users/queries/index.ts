// All SQL of accounts.
export * from './attempts'
export * from './second-factors'
export * from './sessions'
export * from './tokens'
export * from './users'
