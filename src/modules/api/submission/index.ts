// What others may use of submission. Loaded only where SMTP_LISTEN or SMTP_INBOUND_LISTEN is set: what is not used costs neither memory
// nor time.
export { startInbound } from './inbound'
export type { SmtpServers } from './server'
export { startSubmission } from './submission'
