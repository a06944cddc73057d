// All SQL of the queue.
export * from './jobs'
export * from './runners'
export * from './schedules'
