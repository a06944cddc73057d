// All SQL of accounts.
export * from './attempts'
export * from './mails'
export * from './sessions'
export * from './setup-tokens'
export * from './tokens'
export * from './users'
