// The door of the library.
export { meaningOfFeedback } from './complaint'
export { type Failure, meaningOfWords } from './given-up'
export {
  codeOfWords,
  judge,
  type Meaning,
  type RefusedAt,
  type RefusedCommand,
} from './refusal'
export { type MailReport, type ReturnedMail, readReturnedMail, type Said } from './report'
export { isReporter } from './reporters'
export {
  asksForLess,
  type GivenAnswer,
  isAboutSignIn,
  isAllowanceUsedUp,
  isClosing,
  isServerFault,
} from './scope'
