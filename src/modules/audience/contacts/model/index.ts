// Requests and answers of the contact routes, by noun.
export * from './consent'
export * from './contact'
export * from './field'
export * from './import'
export * from './work'
