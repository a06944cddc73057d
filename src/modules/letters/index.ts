// What others may use of letters; nothing else is imported from outside.
export { senderKey } from './hooks'
export { letterJobs, letterSchedules } from './jobs'
export { type Letter, writeLetter } from './letter'
export { forgetLetters, sendSystemMail } from './service'
