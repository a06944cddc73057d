// Requests and answers of the contact routes, by noun.
export * from './contact'
export * from './field'
export * from './work'
