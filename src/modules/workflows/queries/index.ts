// All SQL of workflows.
export * from './calls'
export * from './definitions'
export * from './executions'
export * from './graph'
export * from './history'
export * from './listening'
export * from './removal'
export * from './snapshots'
