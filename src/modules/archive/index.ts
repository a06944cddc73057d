// What others may use of archive; nothing else is imported from outside.
export { archiveRoutes } from './routes'
