// Signing in with GitHub and Google (OAuth 2.0 with PKCE, RFC 7636): the endpoints of each provider, and how its answers are read. Pure.
import { createHash } from 'node:crypto'
import type { Provider, ProviderSettings } from '../../settings/config'
import type { UserType } from './schema'

export type { Provider, ProviderSettings }

export const providers: readonly Provider[] = ['github', 'google']

export const userTypes: Record<Provider, Exclude<UserType, 'PASSWORD'>> = {
  github: 'GITHUB_OAUTH',
  google: 'GOOGLE_OAUTH',
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
  provider: Provider
  state: string
  verifier: string
  /** Milliseconds since the epoch. */
  until: number
}

/** The address that the browser is sent to. */
export function authorizeUrl(
  { clientId, baseUrl }: ProviderSettings,
  { provider, state, verifier }: Journey,
  redirectUri: string,
): string {
  const url = new URL(endpointsOf(provider, baseUrl).authorize)
  const query = {
    client_id: clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: scopes[provider],
    state,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
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
  otherWay: 'There is an account with your address that signs in another way.',
  closed: 'Sign-up is closed on this instance.',
} as const

export type Refusal = keyof typeof refusals
