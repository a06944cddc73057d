// Session cookies, and the guard that asks for one.
export { type Arrival, openSession, requireVerified, type SessionUser, session, sessionUser } from './session'
export { clearSession, readSession, setSession, signSession } from './token'
