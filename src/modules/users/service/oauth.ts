// Signing in with a provider: the browser leaves with a state that only it can bring back, and returns with an address that the provider
// has verified. An address belongs to one way of signing in; accounts are never merged automatically.
import { timingSafeEqual } from 'node:crypto'
import { isEmail, normaliseEmail } from '../../../lib/address'
import { AppError, notFound } from '../../../lib/errors'
import { hexToken } from '../../../lib/ids'
import { after, minute } from '../../../lib/time'
import { type Context, inTransaction } from '../../../platform/context'
import type { WebhookRequest } from '../../../platform/webhook/caller'
import {
  accessTokenIn,
  authorizeUrl,
  endpointsOf,
  type Journey,
  type Provider,
  type ProviderSettings,
  type Refusal,
  userTypes,
  verifiedAddressIn,
} from '../oauth'
import { lockSignUps, selectUserByEmail } from '../queries'
import { type SignedIn, signedIn } from './session'
import { makeAccount, requireOpen } from './sign-up'
import { tellProved } from './waiting'

const purpose = 'oauth-journey'

/** How long somebody may take at the provider. */
export const journeyMs = 10 * minute

/** Where to send the browser, and the cookie that lets it come back. 404 where the provider is not configured. */
export function beginJourney(ctx: Context, provider: Provider): { url: string; cookie: string } {
  const settings = settingsOf(ctx, provider)
  const journey: Journey = {
    provider,
    state: hexToken(ctx.random, 32),
    verifier: hexToken(ctx.random, 32),
    until: after(ctx.clock.now(), journeyMs).getTime(),
  }
  const cookie = ctx.vault.seal(purpose, JSON.stringify(journey))
  return { url: authorizeUrl(settings, journey, redirectUri(ctx, provider)), cookie }
}

export interface OAuthReturn {
  /** From the provider, by the browser. */
  code?: string
  state?: string
  /** The cookie that was set on the way out. */
  cookie: unknown
  isLocal: boolean
}

/** Signs in whoever comes back, making the account the first time; or returns why not. */
export async function endJourney(
  ctx: Context,
  provider: Provider,
  { code, state, cookie, isLocal }: OAuthReturn,
): Promise<SignedIn | Refusal> {
  const settings = settingsOf(ctx, provider)
  const journey = readJourney(ctx, provider, cookie, state)
  if (!journey) return 'expired'
  if (!code) return 'cancelled'
  const address = await askAddress(ctx, settings, journey, code)
  if (address === 'unreachable' || address === 'cancelled') return address
  const email = normaliseEmail(address ?? '')
  return isEmail(email) ? await enter(ctx, provider, email, isLocal) : 'unverified'
}

function settingsOf(ctx: Context, provider: Provider): ProviderSettings {
  const settings = ctx.config.oauth[provider]
  if (!settings) throw notFound('Provider', provider)
  return settings
}

function redirectUri(ctx: Context, provider: Provider): string {
  return `${ctx.config.baseUrl}/oauth/${provider}/callback`
}

/** The sign-in that this browser began, while it is still valid. */
function readJourney(
  ctx: Context,
  provider: Provider,
  cookie: unknown,
  state: string | undefined,
): Journey | undefined {
  if (typeof cookie !== 'string' || cookie.length > 2_000 || state === undefined) return undefined
  const journey = opened(ctx, cookie)
  if (journey?.provider !== provider || journey.until <= ctx.clock.now().getTime()) return undefined
  const [expected, given] = [Buffer.from(journey.state), Buffer.from(state)]
  return expected.length === given.length && timingSafeEqual(expected, given) ? journey : undefined
}

function opened(ctx: Context, cookie: string): Journey | undefined {
  try {
    return JSON.parse(ctx.vault.open(purpose, cookie)) as Journey
  } catch {
    // Sealed with another key, or not by us at all.
    return undefined
  }
}

/** The verified address; undefined if the provider has none. */
async function askAddress(
  ctx: Context,
  settings: ProviderSettings,
  { provider, verifier }: Journey,
  code: string,
): Promise<string | 'unreachable' | 'cancelled' | undefined> {
  const endpoints = endpointsOf(provider, settings.baseUrl)
  const form = new URLSearchParams({
    grant_type: 'authorization_code',
    client_id: settings.clientId,
    client_secret: settings.clientSecret,
    redirect_uri: redirectUri(ctx, provider),
    code,
    code_verifier: verifier,
  })
  const exchanged = await ask(ctx, { url: endpoints.token, method: 'POST', body: form.toString() })
  if (exchanged === undefined) return 'unreachable'
  const token = accessTokenIn(exchanged)
  if (token === undefined) return 'cancelled'
  const answer = await ask(ctx, { url: endpoints.addresses, method: 'GET', body: null }, token)
  return answer === undefined ? 'unreachable' : verifiedAddressIn(provider, answer)
}

/** The body of the provider's answer; undefined if there is none. */
async function ask(
  ctx: Context,
  request: Pick<WebhookRequest, 'url' | 'method' | 'body'>,
  token?: string,
): Promise<string | undefined> {
  const headers: Record<string, string> = { Accept: 'application/json', 'User-Agent': 'Waxwing' }
  if (token !== undefined) headers['Authorization'] = `Bearer ${token}`
  if (request.body !== null) headers['Content-Type'] = 'application/x-www-form-urlencoded'
  const result = await ctx.providers.call({ ...request, headers, ownHeaders: {} })
  if (result.outcome === 'answered' && result.statusCode < 500) return result.response
  const { host } = new URL(request.url)
  const reason = result.outcome === 'answered' ? `status ${result.statusCode}` : result.error
  ctx.log.warn({ host, reason }, 'a sign-in provider did not answer')
  return undefined
}

/** The account of the address, if it uses this way of signing in; a new one if there is none and sign-up is open to it. */
async function enter(
  ctx: Context,
  provider: Provider,
  email: string,
  isLocal: boolean,
): Promise<SignedIn | Refusal> {
  const type = userTypes[provider]
  return await inTransaction(ctx, async tx => {
    await lockSignUps(tx)
    const user = await selectUserByEmail(tx, email)
    if (user && user.type !== type) return 'otherWay'
    if (user) {
      await tellProved(tx, user)
      return signedIn(user)
    }
    if (!(await isOpen(tx, email, isLocal))) return 'closed'
    const standing = { emailVerified: true, mustVerify: false }
    return signedIn(await makeAccount(tx, { email, passwordHash: null, type, ...standing }))
  })
}

async function isOpen(tx: Context, email: string, isLocal: boolean): Promise<boolean> {
  try {
    await requireOpen(tx, email, isLocal)
    return true
  } catch (error) {
    if (error instanceof AppError && error.status === 403) return false
    throw error
  }
}
