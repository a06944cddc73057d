// What others may use of verify; nothing else is imported from outside.
export { verifyRoutes } from './routes'
export { makeVerifier } from './service'
