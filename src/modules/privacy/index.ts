// What others may use of privacy; nothing else is imported from outside.
export { privacyRoutes } from './routes'
