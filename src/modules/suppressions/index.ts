// What others may use of suppressions; nothing else is imported from outside.
export { suppressedSentence, suppressionSentence } from './model'
export { suppressionRoutes } from './routes'
export type { SuppressionReason } from './schema'
export { insertSuppressions } from './service'
