// Use cases of accounts.
export { forgetLinks, inviting } from './links'
export { deliverSystemMail, forgetSystemMails, type SystemMail, sendSystemMail } from './mail'
export { changePassword } from './password'
export { isResetLink, mailReset, makeResetLink, requestReset, resetPassword } from './reset'
export { endSessions, findSessionUser, findUser, type SignedIn } from './session'
export { signIn } from './sign-in'
export { createUser, ensureSetupLink, signUp } from './sign-up'
export { isVerificationLink, requestVerification, verifyEmail } from './verification'
