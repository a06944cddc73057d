// All SQL of the feed and of what stands beside it.
export * from './counts'
export * from './feed'
export * from './upcoming'
