// What others may use of activity; nothing else is imported from outside.
export { activityRoutes } from './routes'
