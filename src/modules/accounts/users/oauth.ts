// Signing in with GitHub and Google (OAuth 2.0 with PKCE, RFC 7636): the endpoints of each provider, and how its answers are read. Pure.
import { createHash } from 'node:crypto'
import type { Config, Provider, ProviderSettings } from '../../../settings/config'
import type { UserType } from './schema'

export type { Provider, ProviderSettings }

/** The providers to sign in with: the two providers that are known by name, and one that speaks OpenID Connect. */
export type SignInProvider = Provider | 'oidc'

export const signInProviders: readonly SignInProvider[] = ['github', 'google', 'oidc']

export const userTypes: Record<SignInProvider, Exclude<UserType, 'PASSWORD'>> = {
  github: 'GITHUB_OAUTH',
  google: 'GOOGLE_OAUTH',
  oidc: 'OIDC',
}

/** The providers that this instance offers, with the name that a button shows; in a fixed order. */
export function offeredProviders({
  oauth,
  oidc,
}: Pick<Config, 'oauth' | 'oidc'>): Map<SignInProvider, string> {
  const names = { github: oauth.github && 'GitHub', google: oauth.google && 'Google', oidc: oidc?.label }
  return new Map(
    signInProviders.flatMap(provider => (names[provider] === undefined ? [] : [[provider, names[provider]]])),
  )
}

interface Endpoints {
  authorize: string
  token: string
  /** Returns the addresses of the user. */
  addresses: string
}

export function endpointsOf(provider: Provider, baseUrl?: string): Endpoints {
  if (provider === 'github') {
    const site = baseUrl ?? 'https://github.com'
    const api = site === 'https://github.com' ? 'https://api.github.com' : `${site}/api/v3`
    return {
      authorize: `${site}/login/oauth/authorize`,
      token: `${site}/login/oauth/access_token`,
      addresses: `${api}/user/emails`,
    }
  }
  return {
    authorize: `${baseUrl ?? 'https://accounts.google.com'}/o/oauth2/v2/auth`,
    token: `${baseUrl ?? 'https://oauth2.googleapis.com'}/token`,
    addresses: `${baseUrl ?? 'https://openidconnect.googleapis.com'}/v1/userinfo`,
  }
}

const scopes: Record<Provider, string> = { github: 'user:email', google: 'openid email' }

/** What is remembered of somebody who was sent to a provider; travels in a sealed cookie. */
export interface Journey {
  provider: SignInProvider
  state: string
  verifier: string
  /** Comes back in the proof of identity, if the provider speaks OpenID Connect. */
  nonce: string
  /** Milliseconds since the epoch. */
  until: number
  /** The page of the dashboard that somebody wanted to see. */
  next?: string
}

/** What is remembered of it has to fit into a cookie. */
const maxNextLength = 800

/**
 * The page of the dashboard that `next` means, a path below the address of the instance; undefined for whatever else a link could name: the
 * link may be a stranger's, and people trust where they come out after signing in.
 */
export function pageOfDashboard(baseUrl: string, next: string | null): string | undefined {
  if (!next?.startsWith('/app/')) return undefined
  const [{ href }, home] = [new URL(baseUrl + next), new URL(`${baseUrl}/app/`)]
  return href.startsWith(home.href) && href.length <= maxNextLength ? href : undefined
}

/** PKCE (RFC 7636). */
export function challengeOf(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url')
}

/** The address that the browser is sent to. */
export function authorizeUrl(
  { clientId, baseUrl }: ProviderSettings,
  provider: Provider,
  { state, verifier }: Journey,
  redirectUri: string,
): string {
  const url = new URL(endpointsOf(provider, baseUrl).authorize)
  const query = {
    client_id: clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: scopes[provider],
    state,
    code_challenge: challengeOf(verifier),
    code_challenge_method: 'S256',
    ...(provider === 'google' ? { prompt: 'select_account' } : {}),
  }
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  return url.href
}

/** The access token in an answer of the token endpoint; undefined for anything else. GitHub answers errors with 200 too. */
export function accessTokenIn(answer: string): string | undefined {
  const body = parsed(answer)
  const token = isRecord(body) ? body['access_token'] : undefined
  return typeof token === 'string' && /^[\x21-\x7e]{1,4000}$/.test(token) ? token : undefined
}

/** The user's own address where the provider has verified it: the primary one at GitHub, the only one at Google. */
export function verifiedAddressIn(provider: Provider, answer: string): string | undefined {
  const body = parsed(answer)
  const found =
    provider === 'github'
      ? Array.isArray(body) && body.find(one => isRecord(one) && one['primary'] === true)
      : body
  if (!isRecord(found)) return undefined
  const { email, verified, email_verified: emailVerified } = found
  const isVerified = provider === 'github' ? verified === true : emailVerified === true
  return isVerified && typeof email === 'string' ? email : undefined
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Why somebody did not get in, as handed to the sign-in page. */
export const refusals = {
  cancelled: 'The provider did not sign you in.',
  expired: 'The sign-in took too long or began in another browser. Please try again.',
  unreachable: 'The provider could not be asked. Please try again later.',
  unverified: 'The provider has no verified e-mail address of yours.',
  otherMethod: 'There is an account with your address that signs in another way.',
  closed: 'Sign-up is closed on this instance.',
  unproved: 'What the provider sent does not prove who you are. Please tell whoever runs this instance.',
  otherDomain: 'Your e-mail address does not belong to a domain that may sign in here.',
} as const

export type Refusal = keyof typeof refusals

/** What the provider says about whoever came back: the address, if it has verified one; or why nothing came of it. */
export type Proof = { address: string | undefined } | Refusal
