// All SQL of suppressed and erased addresses.
export * from './keyed-hash'
export * from './suppressions'
