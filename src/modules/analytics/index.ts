// What others may use of analytics; nothing else is imported from outside.
export { analyticsRoutes } from './routes'
