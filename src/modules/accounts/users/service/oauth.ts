// Signing in with a provider: the browser leaves with a state that only it can bring back, and returns with an address that the provider
// has verified. An address belongs to one way of signing in; accounts are never merged automatically.
import { asciiAddress, domainOf, isEmail, normaliseEmail } from '../../../../lib/address'
import { AppError, notFound } from '../../../../lib/errors'
import { type Context, inTransaction } from '../../../../platform/context'
import type { WebhookRequest } from '../../../../platform/webhook/caller'
import {
  accessTokenIn,
  authorizeUrl,
  endpointsOf,
  type Journey,
  offeredProviders,
  type Proof,
  type Provider,
  type Refusal,
  type SignInProvider,
  userTypes,
  verifiedAddressIn,
} from '../oauth'
import { lockSignUps, selectUserByEmail } from '../queries'
import { readJourney, redirectUri, sealJourney, startJourney } from './journey'
import { tellProved } from './links'
import { oidcAddress, oidcUrl } from './oidc'
import { type SignedIn, signedIn } from './sessions'
import { makeAccount, requireOpen } from './sign-up'

/**
 * Where to send the browser, and the cookie that lets it come back; or why it can't go. 404 where the provider is not configured. `next`: the
 * page of the dashboard to show in the end.
 */
export async function beginJourney(
  ctx: Context,
  provider: SignInProvider,
  next: string | null,
): Promise<{ url: string; cookie: string } | Refusal> {
  requireOffered(ctx, provider)
  const journey = startJourney(ctx, provider, next)
  const url =
    provider === 'oidc' ? await oidcUrl(ctx, journey) : { href: providerUrl(ctx, provider, journey) }
  return typeof url === 'string' ? url : { url: url.href, cookie: sealJourney(ctx, journey) }
}

function providerUrl(ctx: Context, provider: Exclude<SignInProvider, 'oidc'>, journey: Journey): string {
  return authorizeUrl(ctx.config.oauth[provider]!, provider, journey, redirectUri(ctx, provider))
}

/** Codes of some providers are whole tokens. */
const maxCodeLength = 8_000

export interface OAuthReturn {
  /** From the provider, by the browser. */
  query: URLSearchParams
  /** The cookie that was set on the way out. */
  cookie: unknown
  isLocal: boolean
}

/** Signs in whoever comes back, making the account the first time, and says where to go from here; or returns why not. */
export async function endJourney(
  ctx: Context,
  provider: SignInProvider,
  { query, cookie, isLocal }: OAuthReturn,
): Promise<{ user: SignedIn; next: string } | Refusal> {
  requireOffered(ctx, provider)
  const journey = readJourney(ctx, provider, cookie, query.get('state'))
  if (!journey) return 'expired'
  const code = query.get('code')
  if (!code || code.length > maxCodeLength) return 'cancelled'
  const proof: Proof = await (provider === 'oidc'
    ? oidcAddress(ctx, journey, query)
    : providerAddress(ctx, provider, journey, code))
  if (typeof proof === 'string') return proof
  const email = normaliseEmail(proof.address ?? '')
  if (!isEmail(email)) return 'unverified'
  const user = isAllowed(ctx, provider, email) ? await enter(ctx, provider, email, isLocal) : 'otherDomain'
  return typeof user === 'string' ? user : { user, next: journey.next ?? `${ctx.config.baseUrl}/` }
}

function requireOffered(ctx: Context, provider: SignInProvider): void {
  if (!offeredProviders(ctx.config).has(provider)) throw notFound('Provider', provider)
}

function isAllowed({ config: { oidc } }: Context, provider: SignInProvider, email: string): boolean {
  if (provider !== 'oidc' || !oidc || oidc.domains.length === 0) return true
  return oidc.domains.includes(domainOf(asciiAddress(email)))
}

/** The account of the address, if it uses this way of signing in; a new one if there is none and sign-up is open to it. */
async function enter(
  ctx: Context,
  provider: SignInProvider,
  email: string,
  isLocal: boolean,
): Promise<SignedIn | Refusal> {
  const type = userTypes[provider]
  return await inTransaction(ctx, async tx => {
    await lockSignUps(tx)
    const user = await selectUserByEmail(tx, email)
    if (user && user.type !== type) return 'otherMethod'
    if (user) {
      await tellProved(tx, user)
      return signedIn(user)
    }
    if (!(await isOpen(tx, provider, email, isLocal))) return 'closed'
    const standing = { emailVerified: true, mustVerify: false }
    return signedIn(await makeAccount(tx, { email, passwordHash: null, type, ...standing }))
  })
}

async function isOpen(
  tx: Context,
  provider: SignInProvider,
  email: string,
  isLocal: boolean,
): Promise<boolean> {
  try {
    await requireOpen(tx, email, isLocal, provider === 'oidc' && tx.config.oidc?.signUp)
    return true
  } catch (error) {
    if (error instanceof AppError && error.status === 403) return false
    throw error
  }
}

/** The verified address of whoever brings the code; none, if the provider has none. */
export async function providerAddress(
  ctx: Context,
  provider: Provider,
  { verifier }: Journey,
  code: string,
): Promise<Proof> {
  const { clientId, clientSecret, baseUrl } = ctx.config.oauth[provider]!
  const endpoints = endpointsOf(provider, baseUrl)
  const form = new URLSearchParams({
    grant_type: 'authorization_code',
    client_id: clientId,
    client_secret: clientSecret,
    redirect_uri: redirectUri(ctx, provider),
    code,
    code_verifier: verifier,
  })
  const exchanged = await ask(ctx, { url: endpoints.token, method: 'POST', body: form.toString() })
  if (exchanged === undefined) return 'unreachable'
  const token = accessTokenIn(exchanged)
  if (token === undefined) return 'cancelled'
  const answer = await ask(ctx, { url: endpoints.addresses, method: 'GET', body: null }, token)
  return answer === undefined ? 'unreachable' : { address: verifiedAddressIn(provider, answer) }
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
