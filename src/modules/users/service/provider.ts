// What GitHub and Google are asked: two requests, through our own resolver and limits.
import type { Context } from '../../../platform/context'
import type { WebhookRequest } from '../../../platform/webhook/caller'
import {
  accessTokenIn,
  endpointsOf,
  type Journey,
  type Proof,
  type Provider,
  verifiedAddressIn,
} from '../oauth'
import { redirectUri } from './journey'

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
