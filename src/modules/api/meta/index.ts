// What others may use of meta; nothing else is imported from outside.
export { metaRoutes, metricsRoutes } from './routes'
