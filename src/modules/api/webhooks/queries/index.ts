// All SQL of the webhooks module, by purpose.
export * from './deliveries'
export * from './endpoints'
