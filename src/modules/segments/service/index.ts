// What segments can do for routes, jobs and the modules above.
export * from './audience'
export * from './compute'
export * from './members'
export * from './read'
export * from './remove'
export * from './sweep'
export * from './usage'
export * from './write'
