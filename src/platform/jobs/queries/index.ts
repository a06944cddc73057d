// All SQL of the queue.
export * from './figures'
export * from './jobs'
export * from './projects'
export * from './runners'
