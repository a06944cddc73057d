// Use cases of letters.
export { getOutboxMail, keepInOutbox, listOutbox, type ShownMail } from './outbox'
export {
  deliverSystemMail,
  forgetLetters,
  hastenSystemMails,
  pruneOutbox,
  pruneSystemMails,
  sendSystemMail,
} from './system-mail'
