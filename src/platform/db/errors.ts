// Reads what the database objected to, whichever dialect sent the statement.
import { wholeName } from './partition/tables'

interface PostgresFault {
  code?: string
  constraint_name?: string
  syscall?: string
}

function fault(error: unknown): PostgresFault {
  const candidate = error as PostgresFault & { cause?: PostgresFault }
  return candidate?.cause?.code ? candidate.cause : (candidate ?? {})
}

/** True when `error` is a violation of that very unique, check or foreign-key constraint, or of the one of a partition that stands for it. */
export function violates(error: unknown, constraint: string): boolean {
  const { code, constraint_name } = fault(error)
  return code?.startsWith('23') === true && wholeName(constraint_name ?? '') === constraint
}

/** True when the connection was lost or the server is starting or stopping: the statement may be tried again. */
export function isConnectionFault(error: unknown): boolean {
  const { code = '', syscall } = fault(error)
  // While the server is away there is no socket to connect to.
  if (code === 'ENOENT' && syscall === 'connect') return true
  return /^(08|57P0)/.test(code) || /^(CONNECTION_|CONNECT_|ECONN|EPIPE)/.test(code)
}

/**
 * The same where the error may come from anybody: other servers' sockets fail with the codes of the database's, and only what the driver
 * throws knows its statement.
 */
export function isDatabaseAway(error: unknown): boolean {
  const found = fault(error)
  return isConnectionFault(error) && (!/^(ECONN|EPIPE|ENOENT)/.test(found.code ?? '') || 'query' in found)
}

/** True when the statement was canceled, because it ran for longer than its session allows or because an operator said so. */
export function isCancelled(error: unknown): boolean {
  return fault(error).code === '57014'
}

/** True when the database ended the transaction because it and another one waited for each other. */
export function isDeadlock(error: unknown): boolean {
  return fault(error).code === '40P01'
}

/** True when a statement gave up its place in the queue for a lock. */
export function isLockTimeout(error: unknown): boolean {
  return fault(error).code === '55P03'
}
