// What others may use of old links; nothing else is imported from outside.

export { moveOldRecipients } from './queries'
export { redirectRoutes } from './routes'
export { findKnownRecipients, pruneRecipients, rememberOldLinks, rememberOldRecipients } from './service'
