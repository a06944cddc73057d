// All SQL of the queue.

export * from './jobs'
export * from './projects'
export * from './runners'
