// Use cases of the feed.
export * from './feed'
export * from './stats'
export * from './upcoming'
