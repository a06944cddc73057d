// What others may use of suppressions; nothing else is imported from outside.
export { keyedHash } from './keyed-hash'
export { suppressedSentence, suppressionSentence } from './model'
export { whySuppressed } from './queries'
export { suppressionRoutes } from './routes'
export type { SuppressionReason } from './schema'
export { insertSuppressions, respellSuppressions, suppressErased, suppressImported } from './service'
