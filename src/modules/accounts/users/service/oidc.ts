// Signing in with a provider that speaks OpenID Connect. The library checks state, nonce, issuer, audience, times and signature; what it asks
// goes through our own resolver and limits. It is loaded by the first sign-in, and what the provider says of itself is kept for ten minutes;
// its keys are not kept at all, so a key that was changed holds nobody up.
import type {
  Configuration,
  CustomFetchOptions,
  IDToken,
  ServerMetadata,
  UserInfoResponse,
} from 'openid-client'
import { minute } from '../../../../lib/time'
import type { Context } from '../../../../platform/context'
import { perInstance } from '../../../../platform/per-context'
import { challengeOf, type Journey, type Proof, type Refusal } from '../oauth'
import { redirectUri } from './journey'

const keptMs = 10 * minute
const limits = { redirects: 0, responseBytes: 512 * 1024 }

interface Known {
  issuer: string
  metadata: ServerMetadata
  until: number
}

const knownProvider = perInstance<{ current?: Known }>(() => ({}))

/** The page of the provider that the browser is sent to. */
export async function oidcUrl(ctx: Context, { state, nonce, verifier }: Journey): Promise<URL | Refusal> {
  return await asking(ctx, async fetch => {
    const { buildAuthorizationUrl } = await import('openid-client')
    return buildAuthorizationUrl(await configuration(ctx, fetch), {
      redirect_uri: redirectUri(ctx, 'oidc'),
      scope: 'openid email',
      state,
      nonce,
      code_challenge: challengeOf(verifier),
      code_challenge_method: 'S256',
    })
  })
}

/** The proved address of whoever comes back with this query. */
export async function oidcAddress(
  ctx: Context,
  { state, nonce, verifier }: Journey,
  query: URLSearchParams,
): Promise<Proof> {
  return await asking(ctx, async fetch => {
    const { authorizationCodeGrant, fetchUserInfo } = await import('openid-client')
    const config = await configuration(ctx, fetch)
    const back = new URL(redirectUri(ctx, 'oidc'))
    back.search = query.toString()
    const tokens = await authorizationCodeGrant(config, back, {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
      idTokenExpected: true,
    })
    const claims = tokens.claims()!
    const hasMore = claims.email === undefined && config.serverMetadata().userinfo_endpoint !== undefined
    const claimed = hasMore ? await fetchUserInfo(config, tokens.access_token, claims.sub) : claims
    return { address: provedAddress(claimed, ctx.config.oidc!.trustsAddresses) }
  })
}

/** An address that the provider calls unverified is nobody's, whatever is trusted. */
function provedAddress(
  { email, email_verified: verified }: IDToken | UserInfoResponse,
  isTrusted: boolean,
): string | undefined {
  const isProved = verified === true || (verified === undefined && isTrusted)
  return isProved && typeof email === 'string' ? email : undefined
}

type Fetch = (url: string, options: CustomFetchOptions) => Promise<Response>

/** Runs `work` and makes a refusal of what goes wrong in it. */
async function asking<T>(ctx: Context, work: (fetch: Fetch) => Promise<T>): Promise<T | Refusal> {
  const outage: { reason?: string } = {}
  try {
    return await work((url, options) => ask(ctx, outage, url, options))
  } catch (error) {
    const { host } = new URL(ctx.config.oidc!.issuer)
    if (outage.reason !== undefined) {
      ctx.log.warn({ host, reason: outage.reason }, 'a sign-in provider did not answer')
      return 'unreachable'
    }
    const { name, code, message } = error as { name?: string; code?: string; message?: string }
    ctx.log.warn({ host, code, reason: message }, 'a sign-in by OpenID Connect was refused')
    return name === 'ResponseBodyError' || name === 'AuthorizationResponseError' ? 'cancelled' : 'unproved'
  }
}

async function ask(
  ctx: Context,
  outage: { reason?: string },
  url: string,
  { method, headers, body }: CustomFetchOptions,
): Promise<Response> {
  const result = await ctx.providers.call({
    url,
    method: method === 'POST' ? 'POST' : 'GET',
    headers,
    ownHeaders: body == null ? {} : { 'content-type': 'application/x-www-form-urlencoded' },
    body: body == null ? null : String(body),
    limits,
  })
  if (result.outcome === 'answered' && result.statusCode < 500)
    return new Response(result.response, {
      status: result.statusCode,
      headers: { 'content-type': 'application/json' },
    })
  outage.reason = result.outcome === 'answered' ? `status ${result.statusCode}` : result.error
  throw new Error(outage.reason)
}

/** A new one for each sign-in, because the library keeps signing keys in it for minutes. */
async function configuration(ctx: Context, fetch: Fetch): Promise<Configuration> {
  const client = await import('openid-client')
  const { issuer, clientId, clientSecret } = ctx.config.oidc!
  const metadata = structuredClone(await metadataOf(ctx, issuer, fetch))
  const config = new client.Configuration(
    metadata,
    clientId,
    undefined,
    clientSecret === undefined ? client.None() : secretBy(client, metadata, clientSecret),
  )
  config[client.customFetch] = fetch
  client.enableNonRepudiationChecks(config)
  if (issuer.startsWith('http:')) client.allowInsecureRequests(config)
  return config
}

/** In the header, which is what a provider supports that says nothing; in the body where it takes it there only. */
function secretBy(client: typeof import('openid-client'), metadata: ServerMetadata, secret: string) {
  const methods = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
  return methods.includes('client_secret_basic') || !methods.includes('client_secret_post')
    ? client.ClientSecretBasic(secret)
    : client.ClientSecretPost(secret)
}

async function metadataOf(ctx: Context, issuer: string, fetch: Fetch): Promise<ServerMetadata> {
  const known = knownProvider(ctx)
  const now = ctx.clock.now().getTime()
  if (known.current?.issuer === issuer && now < known.current.until) return known.current.metadata
  const client = await import('openid-client')
  const execute = issuer.startsWith('http:') ? [client.allowInsecureRequests] : []
  const found = await client.discovery(new URL(issuer), ctx.config.oidc!.clientId, undefined, undefined, {
    [client.customFetch]: fetch,
    execute,
  })
  const metadata = found.serverMetadata()
  known.current = { issuer, metadata: { ...metadata }, until: now + keptMs }
  return metadata
}
