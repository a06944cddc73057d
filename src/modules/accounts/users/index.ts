// What others may use of users; nothing else is imported from outside.
export { requireVerified, type SessionUser, session, sessionUser } from './guard'
export {
  addressAwaited,
  addressProved,
  invitationOffer,
  invitationTaken,
  secondFactorChanged,
  secondFactorNeeded,
} from './hooks'
export { userJobs, userSchedules } from './jobs'
export { requireAddress } from './model'
export type { InvitationOffer } from './page'
export { deleteTokensOf, holdSecondFactor, lacksSecondFactor, selectUser, selectUserByEmail } from './queries'
export { usersRoutes } from './routes'
export {
  createUser,
  describeSignUp,
  ensureSetupLink,
  isOperator,
  listUsers,
  makeResetLink,
  respellUsers,
  spendMail,
  spendTurn,
  takeOffSecondFactor,
} from './service'
export { hashToken, makeToken, tokenLink } from './tokens'
