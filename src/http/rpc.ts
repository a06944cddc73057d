// Refusals at /mcp in the form of JSON-RPC, which is all that clients of MCP read: whoever refuses there, a guard, a limit or the bound of
// a body. The HTTP status and headers stay what they are everywhere.
import type { AppError } from '../lib/errors'

export const rpcPath = '/mcp'

/** As JSON-RPC numbers them; what it has no number for is `refused`. */
export const rpcCodes = { parse: -32_700, invalid: -32_600, internal: -32_603, refused: -32_000 } as const

/** The error of a message whose id is not known: it was refused before it was read. */
export function rpcError(error: { code: number; message: string; data?: object }) {
  return { jsonrpc: '2.0', error, id: null }
}

/** What `refusal` looks like there; undefined for any other address. `facts` are those of the usual envelope. */
export function rpcRefusal(request: Request, refusal: AppError, facts: object) {
  if (new URL(request.url).pathname !== rpcPath) return undefined
  const { message, suggestion } = refusal
  return rpcError({
    code: codeOf(refusal.status),
    message: suggestion ? `${message}. ${suggestion}` : message,
    data: facts,
  })
}

function codeOf(status: number): number {
  if (status >= 500) return rpcCodes.internal
  return status === 413 || status === 422 ? rpcCodes.invalid : rpcCodes.refused
}
