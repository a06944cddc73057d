// What others may use of suppressions; nothing else is imported from outside.

export { isSuppressed, keyedHash, whySuppressed } from './queries'
export { suppressionRoutes } from './routes'
export type { SuppressionReason } from './schema'
export { insertSuppressions, respellSuppressions, suppressErased, suppressImported } from './service'
