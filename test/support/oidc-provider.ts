// A provider of OpenID Connect on this machine: the package oidc-provider, with a sign-in page that lets everybody in who is named, and a
// switch for its keys and for being out of order.
import { generateKeyPairSync } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider from 'oidc-provider'

/** What the provider knows about somebody beside the subject. */
export interface Claims {
  email?: string
  email_verified?: boolean
}

export const oidcClient = { clientId: 'waxwing', clientSecret: 'a secret: with % and + in it' }

export interface OidcProvider {
  issuer: string
  /** Goes through the pages of the provider as this person, and answers where they lead back, as path and query. */
  consent(url: string, subject: string, claims: Claims): Promise<string>
  /** From now on it signs with another key, under another name. */
  rotateKey(): void
  /** From now on every request is answered with this status. */
  breakWith(status: number | undefined): void
  /** The paths that were asked for so far. */
  readonly asked: string[]
  stop(): void
}

export interface OidcOptions {
  redirectUri: string
  /** Where the provider tells the address. */
  claimsIn: 'id token' | 'userinfo'
  /** How the client has to show its secret. */
  secretIn?: 'client_secret_basic' | 'client_secret_post' | 'none'
}

export async function startOidcProvider(options: OidcOptions): Promise<OidcProvider> {
  const people = new Map<string, Claims>()
  const asked: string[] = []
  let subject = ''
  let broken: number | undefined
  let keys = 0
  let provider: Provider | undefined
  const server = createServer(async (request, response) => {
    const path = new URL(request.url!, 'http://localhost').pathname
    asked.push(path)
    if (broken !== undefined) return void response.writeHead(broken).end('out of order')
    if (!path.startsWith('/interaction/')) return provider!.callback()(request, response)
    const grant = new provider!.Grant({ accountId: subject, clientId: oidcClient.clientId })
    grant.addOIDCScope('openid email')
    const consent = { grantId: await grant.save() }
    await provider!.interactionFinished(request, response, { login: { accountId: subject }, consent })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const rotateKey = () => {
    provider = new Provider(issuer, configurationOf(options, `key-${++keys}`, people))
  }
  rotateKey()
  return {
    issuer,
    asked,
    rotateKey,
    async consent(url, who, claims) {
      subject = who
      people.set(who, claims)
      return await throughPages(url, options.redirectUri)
    },
    breakWith(status) {
      broken = status
    },
    stop() {
      server.close()
      server.closeAllConnections()
    },
  }
}

function configurationOf(
  { redirectUri, claimsIn, secretIn = 'client_secret_basic' }: OidcOptions,
  keyId: string,
  people: Map<string, Claims>,
): object {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const secret = secretIn === 'none' ? {} : { client_secret: oidcClient.clientSecret }
  return {
    clients: [
      {
        client_id: oidcClient.clientId,
        redirect_uris: [redirectUri],
        token_endpoint_auth_method: secretIn,
        ...secret,
      },
    ],
    clientAuthMethods: [secretIn],
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), kid: keyId, use: 'sig', alg: 'RS256' }] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'] },
    conformIdTokenClaims: claimsIn === 'userinfo',
    cookies: { keys: ['for tests'] },
    ttl: { AccessToken: 3_600, Grant: 3_600, IdToken: 3_600, Interaction: 3_600, Session: 3_600 },
    features: { devInteractions: { enabled: false } },
    findAccount: (_: unknown, sub: string) => ({
      accountId: sub,
      claims: () => ({ sub, ...people.get(sub) }),
    }),
  }
}

/** Follows the redirects with the cookies of the provider, as a browser does. */
async function throughPages(from: string, redirectUri: string): Promise<string> {
  const cookies = new Map<string, string>()
  let url = from
  for (let hop = 0; hop < 10; hop++) {
    const cookie = Array.from(cookies, ([name, value]) => `${name}=${value}`).join('; ')
    const answer = await fetch(url, { redirect: 'manual', headers: { cookie } })
    for (const line of answer.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!
      cookies.set(name!, value!)
    }
    const location = answer.headers.get('location')
    if (location === null) throw new Error(`the provider answered ${answer.status}: ${await answer.text()}`)
    url = new URL(location, url).href
    if (url.startsWith(redirectUri)) return url.slice(new URL(url).origin.length)
  }
  throw new Error('the provider sends on for ever')
}
