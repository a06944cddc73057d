// What topics can do for routes and the modules above.
export * from './imported'
export * from './topics'
