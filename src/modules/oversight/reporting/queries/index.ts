// All SQL of the feed and of what is shown beside it.

export * from './feed'
export * from './statistics'
export * from './upcoming'
