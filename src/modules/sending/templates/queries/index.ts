// All SQL of the templates module.
export * from './layouts'
export * from './overruns'
export * from './templates'
