// All SQL of the feed and of what is shown beside it.
export * from './counts'
export * from './feed'
export * from './upcoming'
