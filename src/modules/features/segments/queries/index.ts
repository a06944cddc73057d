// All SQL of segments.
export * from './contacts'
export * from './diff'
export * from './history'
export * from './members'
export * from './references'
export * from './segments'
