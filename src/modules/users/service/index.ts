// Use cases of accounts.
export { deliverSystemMail, forgetSystemMails, type SystemMail, sendSystemMail } from './mail'
export { findSessionUser, findUser, type SignedIn } from './session'
export { signIn } from './sign-in'
export { ensureSetupLink, signUp } from './sign-up'
