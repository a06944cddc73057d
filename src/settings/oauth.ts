// The settings of signing in with a provider. Each provider is on when both of its values are set.
import { option } from './setting'
import { baseUrl, text } from './values'

export type Provider = 'github' | 'google'

export interface ProviderSettings {
  clientId: string
  clientSecret: string
  /** Undefined for the public one. */
  baseUrl?: string
}

export type OAuthSettings = Partial<Record<Provider, ProviderSettings>>

export const oauthOptions = {
  GITHUB_OAUTH_CLIENT_ID: option(
    'GITHUB_OAUTH_CLIENT_ID',
    '',
    'a text',
    text,
    'Sign-in with GitHub: client id',
  ),
  GITHUB_OAUTH_CLIENT_SECRET: option(
    'GITHUB_OAUTH_CLIENT_SECRET',
    '',
    'a text',
    text,
    'Sign-in with GitHub: client secret',
    true,
  ),
  GITHUB_OAUTH_BASE_URL: option(
    'GITHUB_OAUTH_BASE_URL',
    'https://github.com',
    'an http:// or https:// address',
    baseUrl,
    'Another GitHub, such as GitHub Enterprise Server',
  ),
  GOOGLE_OAUTH_CLIENT_ID: option(
    'GOOGLE_OAUTH_CLIENT_ID',
    '',
    'a text',
    text,
    'Sign-in with Google: client id',
  ),
  GOOGLE_OAUTH_CLIENT_SECRET: option(
    'GOOGLE_OAUTH_CLIENT_SECRET',
    '',
    'a text',
    text,
    'Sign-in with Google: client secret',
    true,
  ),
  GOOGLE_OAUTH_BASE_URL: option(
    'GOOGLE_OAUTH_BASE_URL',
    "Google's",
    'an http:// or https:// address',
    baseUrl,
    'A compatible provider: /o/oauth2/v2/auth, /token and /v1/userinfo below this address',
  ),
} as const

type Values = { [K in keyof typeof oauthOptions]?: string }

const prefixes = { github: 'GITHUB', google: 'GOOGLE' } as const
type Prefix = (typeof prefixes)[keyof typeof prefixes]

const namesOf = <P extends Prefix>(prefix: P) =>
  ({
    id: `${prefix}_OAUTH_CLIENT_ID`,
    secret: `${prefix}_OAUTH_CLIENT_SECRET`,
    base: `${prefix}_OAUTH_BASE_URL`,
  }) as const

/** What does not go together, in words. */
export function faultsOfOAuth(values: Values): string[] {
  return Object.values(prefixes).flatMap(prefix => {
    const { id, secret, base } = namesOf(prefix)
    if ((values[id] === undefined) !== (values[secret] === undefined))
      return [`${id} and ${secret} belong together; set both or neither`]
    return values[base] !== undefined && values[id] === undefined ? [`${base} is set, but ${id} is not`] : []
  })
}

/** The providers that are configured. */
export function oauthSettings(values: Values): OAuthSettings {
  const settings: OAuthSettings = {}
  for (const provider of ['github', 'google'] as const) {
    const { id, secret, base } = namesOf(prefixes[provider])
    const [clientId, clientSecret, baseUrl] = [values[id], values[secret], values[base]]
    if (clientId !== undefined && clientSecret !== undefined)
      settings[provider] = { clientId, clientSecret, baseUrl }
  }
  return settings
}
