// A sign-in provider on this machine that is as strict as the real ones: it speaks GitHub's and Google's dialect, checks the client,
// the redirect address and the PKCE verifier, and takes each code once.
import { createHash } from 'node:crypto'

export interface Person {
  /** GitHub: the list of addresses. */
  emails?: unknown
  /** Google: the claims about the user. */
  userinfo?: unknown
}

export interface OAuthProvider {
  url: string
  /** What the person at the keyboard would see and agree to: follows the authorize address and answers where it leads back. */
  consent(authorizeUrl: string, person: Person): string
  /** The requests that came to the server itself, as method and path. */
  readonly asked: string[]
  /** From now on every request is answered with this status. */
  breakWith(status: number | undefined): void
  stop(): Promise<void>
}

export const client = { clientId: 'the-client', clientSecret: 'the-client-secret' }

interface Grant {
  challenge: string
  redirectUri: string
  person: Person
}

export function startOAuthProvider(): OAuthProvider {
  const codes = new Map<string, Grant>()
  const tokens = new Map<string, Person>()
  const asked: string[] = []
  let broken: number | undefined
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const { pathname } = new URL(request.url)
      asked.push(`${request.method} ${pathname}`)
      if (broken !== undefined) return new Response('out of order', { status: broken })
      if (pathname === '/login/oauth/access_token' || pathname === '/token')
        return exchange(codes, tokens, request, pathname === '/token' ? 400 : 200)
      const person = tokens.get(request.headers.get('authorization')?.replace('Bearer ', '') ?? '')
      if (!person) return Response.json({ message: 'Bad credentials' }, { status: 401 })
      if (pathname === '/api/v3/user/emails') return Response.json(person.emails)
      if (pathname === '/v1/userinfo') return Response.json(person.userinfo)
      return new Response('not found', { status: 404 })
    },
  })
  return {
    url: `http://127.0.0.1:${server.port}`,
    asked,
    consent(authorizeUrl, person) {
      const query = new URL(authorizeUrl).searchParams
      if (query.get('client_id') !== client.clientId || query.get('response_type') !== 'code')
        throw new Error(`the provider would not take ${authorizeUrl}`)
      if (query.get('code_challenge_method') !== 'S256') throw new Error('no PKCE')
      const code = crypto.randomUUID()
      const redirectUri = query.get('redirect_uri')!
      codes.set(code, { challenge: query.get('code_challenge')!, redirectUri, person })
      const back = new URL(redirectUri)
      back.searchParams.set('code', code)
      back.searchParams.set('state', query.get('state')!)
      return `${back.pathname}${back.search}`
    },
    breakWith(status) {
      broken = status
    },
    stop: () => server.stop(true),
  }
}

/** GitHub answers faults with 200, Google with 400. */
async function exchange(
  codes: Map<string, Grant>,
  tokens: Map<string, Person>,
  request: Request,
  faultStatus: number,
): Promise<Response> {
  const form = new URLSearchParams(await request.text())
  const grant = codes.get(form.get('code') ?? '')
  codes.delete(form.get('code') ?? '')
  const challenge = createHash('sha256')
    .update(form.get('code_verifier') ?? '')
    .digest('base64url')
  const isGood =
    grant !== undefined &&
    form.get('client_id') === client.clientId &&
    form.get('client_secret') === client.clientSecret &&
    form.get('redirect_uri') === grant.redirectUri &&
    challenge === grant.challenge
  if (!isGood) return Response.json({ error: 'bad_verification_code' }, { status: faultStatus })
  const token = crypto.randomUUID()
  tokens.set(token, grant.person)
  return Response.json({ access_token: token, token_type: 'bearer' })
}
