// A page for signing in, for instances without a dashboard and for people whom a provider sends back.
import { Elysia } from 'elysia'
import { clientAddress } from '../../../../http/request-id'
import { AppError } from '../../../../lib/errors'
import { pageHeaders } from '../../../../lib/hosted-page'
import type { Context } from '../../../../platform/context'
import { openSession } from '../guard'
import { offeredProviders, type Refusal, refusals } from '../oauth'
import { renderCodePage, renderLoginPage } from '../page'
import { maxPasswordLength } from '../password'
import { signIn, signInByCode } from '../service'

export function loginPage(ctx: Context) {
  const page = (status: number, note?: string): Response =>
    new Response(renderLoginPage(offeredProviders(ctx.config), note), { status, headers: pageHeaders })
  return new Elysia({ prefix: '/auth', detail: { hide: true } })
    .get('/login', ({ request }) => page(200, refusalIn(new URL(request.url).searchParams)))
    .post(
      '/login/form',
      async ({ request, cookie, set }) => {
        const form = new URLSearchParams(await request.text())
        try {
          const input = {
            email: field(form, 'email', 320),
            password: field(form, 'password', maxPasswordLength),
          }
          const user = await signIn(ctx, { ...input, clientAddress: clientAddress(request) })
          await openSession(ctx, { request, cookie }, user)
        } catch (error) {
          const token = tokenOfStep(error)
          if (token !== undefined) return codePage(200, token)
          if (error instanceof AppError && [401, 422, 429].includes(error.status))
            return page(error.status, error.status === 422 ? 'Please give an e-mail address.' : error.message)
          throw error
        }
        return home(set)
      },
      { parse: 'none' },
    )
    .post(
      '/login-code/form',
      async ({ request, cookie, set }) => {
        const form = new URLSearchParams(await request.text())
        const step = { token: field(form, 'token', 1_000), code: field(form, 'code', 64) }
        try {
          const user = await signInByCode(ctx, { ...step, clientAddress: clientAddress(request) })
          await openSession(ctx, { request, cookie }, user)
        } catch (error) {
          if (!(error instanceof AppError) || ![400, 401, 429].includes(error.status)) throw error
          return error.status === 400
            ? page(400, 'This sign-in is over. Please begin again.')
            : codePage(error.status, step.token, error.message)
        }
        return home(set)
      },
      { parse: 'none' },
    )
}

/** Relative, so that it works under any name and path of the instance. */
function home(set: { status?: number | string; headers: Record<string, unknown> }): string {
  set.status = 303
  Object.assign(set.headers, { location: '../../', 'cache-control': 'no-store' })
  return ''
}

function codePage(status: number, token: string, note?: string): Response {
  return new Response(renderCodePage(token, note), { status, headers: pageHeaders })
}

/** The token of the second step, where the right password was not enough. */
function tokenOfStep(error: unknown): string | undefined {
  if (!(error instanceof AppError) || error.code !== 'SECOND_FACTOR_REQUIRED') return undefined
  return String(error.details?.['token'])
}

function field(form: URLSearchParams, name: string, longest: number): string {
  return (form.get(name) ?? '').slice(0, longest + 1)
}

/** Only our own words are shown, whatever the address says. */
function refusalIn(query: URLSearchParams): string | undefined {
  const name = query.get('message') ?? ''
  return Object.hasOwn(refusals, name) ? refusals[name as Refusal] : undefined
}
