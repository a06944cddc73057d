// What others may use of system-emails; nothing else is imported from outside.

export { type ComposedEmail, composeEmail } from './compose'
export { senderKey } from './hooks'
export { systemEmailJobs, systemEmailSchedules } from './jobs'
export { type OutboxAudience, outboxKinds } from './schema'
export {
  eraseSystemEmails,
  getOutboxMail,
  hastenSystemMails,
  keepInOutbox,
  listOutbox,
  type ShownMail,
  sendSystemMail,
} from './service'
