// What others may use of letters; nothing else is imported from outside.
export { senderKey } from './hooks'
export { letterJobs, letterSchedules } from './jobs'
export { type Letter, writeLetter } from './letter'
export { type OutboxAudience, outboxKinds } from './schema'
export {
  forgetLetters,
  getOutboxMail,
  hastenSystemMails,
  keepInOutbox,
  listOutbox,
  type ShownMail,
  sendSystemMail,
} from './service'
