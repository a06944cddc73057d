// All SQL of campaigns, by purpose.
export * from './campaigns'
export * from './counts'
export * from './expansion'
export * from './opt-out'
export * from './probes'
export * from './recipients'
export * from './slices'
export * from './usage'
