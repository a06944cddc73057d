// What others may use of old links; nothing else is imported from outside.
export { redirectRoutes } from './routes'
export { findKnownRecipients, forgetOldRecipients, rememberOldLinks, rememberOldRecipients } from './service'
