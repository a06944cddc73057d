// All SQL of the templates module.
export * from './layouts'
export * from './strikes'
export * from './templates'
