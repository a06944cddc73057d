// What others may use of reporting; nothing else is imported from outside.
export { activityRoutes } from './routes/activity'
export { analyticsRoutes } from './routes/analytics'
