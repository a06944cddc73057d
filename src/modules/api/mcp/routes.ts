// The address of the MCP server. What is no message of the protocol is answered as the protocol says, and who may speak as everywhere.
import { type AnyElysia, Elysia } from 'elysia'
import { checkBody } from '../../../http/body-check'
import { rpcCodes, rpcError, rpcPath } from '../../../http/errors'
import { declarations, opens } from '../../../http/route'
import { AppError } from '../../../lib/errors'
import type { Context } from '../../../platform/context'
import { secretKey } from '../../accounts/projects'
import { answerMessage, askAs } from './service'

/** `application`: the one that these routes are part of, and which the tools call. */
export function mcpRoutes(ctx: Context, application: () => AnyElysia) {
  return new Elysia({ detail: { hide: true } }).use(closedRoutes()).use(messageRoutes(ctx, application))
}

/** There is no stream to open and no session to end: 405, by which clients know. */
function closedRoutes() {
  const closed = () => fault(405, rpcCodes.refused, 'Only POST is allowed', { allow: 'POST' })
  return new Elysia().get(rpcPath, closed).delete(rpcPath, closed)
}

function messageRoutes(ctx: Context, application: () => AnyElysia) {
  const declarationOf = declarations(() => application().routes)
  const ownOrigin = new URL(ctx.config.baseUrl).origin
  return new Elysia().use(secretKey(ctx)).post(
    rpcPath,
    async ({ access: { project, named }, request, headers, body }) => {
      // A page that had its name point here (DNS rebinding) says where it comes from.
      const origin = request.headers.get('origin')
      if (origin !== null && origin !== ownOrigin)
        return fault(403, rpcCodes.refused, 'Requests from this origin are not allowed')
      const message = readMessage(body)
      if (message instanceof Response) return message
      const authorization = headers['authorization'] ?? ''
      const ask = askAs(ctx, asked => application().handle(asked), authorization)
      const mayCall = (route: string) => !named || opens(named.scopes, declarationOf(route))
      const caller = {
        projectId: project.id,
        key: authorization.slice(7),
        scopes: named?.scopes,
        mayCall,
        ask,
      }
      return await answerMessage(ctx, caller, { headers: acceptingAnswers(request.headers), message })
    },
    // What a tool does asks for the scopes of the routes that it calls.
    { scope: 'read', whileSuspended: true, parse: asRead },
  )
}

/** What was read of a body: a value, or why there is none. Hidden from the checks of other bodies, which answer in other words. */
class Read {
  readonly #value: unknown

  constructor(
    value: unknown,
    readonly fault?: [code: number, message: string],
  ) {
    this.#value = value
  }

  get value(): unknown {
    return this.#value
  }
}

/** What is no JSON, or too much of it, is answered in the words of the protocol. */
async function asRead({ request }: { request: Request }): Promise<Read> {
  try {
    return new Read(await request.json())
  } catch (error) {
    if (!(error instanceof AppError))
      return new Read(undefined, [rpcCodes.parse, 'Parse error: the body is not JSON'])
    if (error.status !== 422) throw error
    return new Read(undefined, [rpcCodes.invalid, error.errors?.[0]?.message ?? error.message])
  }
}

/** Answers are always JSON, so whoever can read that need not say that they could read a stream as well. */
function acceptingAnswers(given: Headers): Headers {
  const headers = new Headers(given)
  headers.set('accept', 'application/json, text/event-stream')
  return headers
}

function readMessage(read: unknown): unknown {
  const { value, fault: reason } = read instanceof Read ? read : new Read(undefined)
  if (reason) return fault(400, ...reason)
  if (Array.isArray(value)) return fault(400, rpcCodes.invalid, 'Send one message at a time')
  const wrong = checkBody(value)
  return wrong ? fault(400, rpcCodes.invalid, `${wrong.field}: ${wrong.message}`) : value
}

/** The error of a message that has no id of its own. */
function fault(
  status: number,
  code: number,
  message: string,
  headers: Record<string, string> = {},
): Response {
  return Response.json(rpcError({ code, message }), { status, headers })
}
