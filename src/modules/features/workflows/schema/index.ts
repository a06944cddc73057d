// All tables of workflows.
export * from './definitions/schema'
export * from './executions/schema'
