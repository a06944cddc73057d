// All SQL about sender domains, by purpose.
export * from './claims'
export * from './provider'
export * from './rotation'
export * from './warm-up'
