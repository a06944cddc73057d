// Signing in with a provider: the browser leaves with a state that only it can bring back, and returns with an address that the provider
// has verified. An address belongs to one way of signing in; accounts are never merged automatically.
import { asciiAddress, domainOf, isEmail, normaliseEmail } from '../../../lib/address'
import { AppError, notFound } from '../../../lib/errors'
import { type Context, inTransaction } from '../../../platform/context'
import {
  authorizeUrl,
  type Journey,
  offeredWays,
  type Proof,
  type Refusal,
  userTypes,
  type Way,
} from '../oauth'
import { lockSignUps, selectUserByEmail } from '../queries'
import { readJourney, redirectUri, sealJourney, startJourney } from './journey'
import { oidcAddress, oidcUrl } from './oidc'
import { providerAddress } from './provider'
import { type SignedIn, signedIn } from './session'
import { makeAccount, requireOpen } from './sign-up'
import { tellProved } from './waiting'

/**
 * Where to send the browser, and the cookie that lets it come back; or why it can't go. 404 where the provider is not configured. `next`: the
 * page of the dashboard to show in the end.
 */
export async function beginJourney(
  ctx: Context,
  way: Way,
  next: string | null,
): Promise<{ url: string; cookie: string } | Refusal> {
  requireOffered(ctx, way)
  const journey = startJourney(ctx, way, next)
  const url = way === 'oidc' ? await oidcUrl(ctx, journey) : { href: providerUrl(ctx, way, journey) }
  return typeof url === 'string' ? url : { url: url.href, cookie: sealJourney(ctx, journey) }
}

function providerUrl(ctx: Context, way: Exclude<Way, 'oidc'>, journey: Journey): string {
  return authorizeUrl(ctx.config.oauth[way]!, way, journey, redirectUri(ctx, way))
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
  way: Way,
  { query, cookie, isLocal }: OAuthReturn,
): Promise<{ user: SignedIn; next: string } | Refusal> {
  requireOffered(ctx, way)
  const journey = readJourney(ctx, way, cookie, query.get('state'))
  if (!journey) return 'expired'
  const code = query.get('code')
  if (!code || code.length > maxCodeLength) return 'cancelled'
  const proof: Proof = await (way === 'oidc'
    ? oidcAddress(ctx, journey, query)
    : providerAddress(ctx, way, journey, code))
  if (typeof proof === 'string') return proof
  const email = normaliseEmail(proof.address ?? '')
  if (!isEmail(email)) return 'unverified'
  const user = isAllowed(ctx, way, email) ? await enter(ctx, way, email, isLocal) : 'otherDomain'
  return typeof user === 'string' ? user : { user, next: journey.next ?? `${ctx.config.baseUrl}/` }
}

function requireOffered(ctx: Context, way: Way): void {
  if (!offeredWays(ctx.config).has(way)) throw notFound('Provider', way)
}

function isAllowed({ config: { oidc } }: Context, way: Way, email: string): boolean {
  if (way !== 'oidc' || !oidc || oidc.domains.length === 0) return true
  return oidc.domains.includes(domainOf(asciiAddress(email)))
}

/** The account of the address, if it uses this way of signing in; a new one if there is none and sign-up is open to it. */
async function enter(ctx: Context, way: Way, email: string, isLocal: boolean): Promise<SignedIn | Refusal> {
  const type = userTypes[way]
  return await inTransaction(ctx, async tx => {
    await lockSignUps(tx)
    const user = await selectUserByEmail(tx, email)
    if (user && user.type !== type) return 'otherWay'
    if (user) {
      await tellProved(tx, user)
      return signedIn(user)
    }
    if (!(await isOpen(tx, way, email, isLocal))) return 'closed'
    const standing = { emailVerified: true, mustVerify: false }
    return signedIn(await makeAccount(tx, { email, passwordHash: null, type, ...standing }))
  })
}

async function isOpen(tx: Context, way: Way, email: string, isLocal: boolean): Promise<boolean> {
  try {
    await requireOpen(tx, email, isLocal, way === 'oidc' && tx.config.oidc?.signUp)
    return true
  } catch (error) {
    if (error instanceof AppError && error.status === 403) return false
    throw error
  }
}
