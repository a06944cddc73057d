// What others may use of uploads; nothing else is imported from outside.
export { uploadsRoutes } from './routes'
