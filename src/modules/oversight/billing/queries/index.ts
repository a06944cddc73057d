// All SQL of billing.
export * from './customers'
export * from './notices'
export * from './reports'
export * from './usage'
