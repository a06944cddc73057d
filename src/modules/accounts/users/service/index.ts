// Use cases of accounts.
export { journeyMs } from './journey'
export { findOffer, pruneAccountTokens, spendMail, spendTurn } from './links'
export { beginJourney, endJourney } from './oauth'
export { changePassword } from './password'
export { isResetLink, mailReset, makeResetLink, requestReset, resetPassword } from './reset'
export { listUsers, respellUsers } from './respell'
export {
  confirmEnrolment,
  describeSecondFactor,
  enrol,
  pruneEnrolments,
  removeSecondFactor,
  renewRecoveryCodes,
  takeOffSecondFactor,
} from './second-factor'
export {
  endOneSession,
  endOtherSessions,
  endSession,
  endSessions,
  findSessionUser,
  findUser,
  isOperator,
  listSessions,
  noteSession,
  pruneEndedSessions,
  pruneSessions,
  type SignedIn,
  sessionVisits,
} from './sessions'
export { signIn, signInByCode } from './sign-in'
export { createUser, describeSignUp, ensureSetupLink, type SignUpClient, signUp } from './sign-up'
export { isVerificationLink, requestVerification, verifyEmail } from './verification'
