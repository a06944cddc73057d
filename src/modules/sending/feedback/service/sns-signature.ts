// Proves that a message comes from Amazon SNS: by the pinned certificate, or by one of Amazon's, fetched once and kept.
import { createPublicKey, type KeyObject, verify, X509Certificate } from 'node:crypto'
import { forbidden } from '../../../../lib/errors'
import { after, hour } from '../../../../lib/time'
import type { Context } from '../../../../platform/context'
import { perContext } from '../../../../platform/per-context'
import { certificateAddress, digestOf, type SnsMessage, signedText } from '../sns-message'
import { unavailable } from './receipts'

/** Throws 403 for a wrong signature, 503 where the certificate can't be fetched at the moment. */
export async function requireSignature(ctx: Context, message: SnsMessage): Promise<void> {
  const digest = digestOf(message)
  if (!digest || !message.Signature) throw badSignature()
  const key = await signingKey(ctx, message)
  const signature = Buffer.from(message.Signature, 'base64')
  if (!verify(digest, Buffer.from(signedText(message)), key, signature)) throw badSignature()
}

function badSignature() {
  return forbidden('FORBIDDEN', 'The signature of the notification is not valid')
}

async function signingKey(ctx: Context, { SigningCertURL }: SnsMessage): Promise<KeyObject> {
  const pinned = ctx.config.snsSigningCertificate
  if (pinned !== undefined) return createPublicKey(pinned)
  const url = certificateAddress(SigningCertURL)
  if (!url) throw badSignature()
  return certificates(ctx).get(url.href)
}

interface Certificates {
  get(url: string): Promise<KeyObject>
}

const keptMs = 24 * hour
/** Amazon has one per region, and a new one every year. */
const maxKept = 64

/** Caches what was fetched; messages that arrive together share one call, and a failed call is not remembered. */
const certificates = perContext((ctx): Certificates => {
  const known = new Map<string, { key: Promise<KeyObject>; until: Date }>()
  return {
    get(url) {
      const kept = known.get(url)
      if (kept && kept.until > ctx.clock.now()) return kept.key
      if (known.size >= maxKept) known.clear()
      const key = fetchCertificate(ctx, url)
      known.set(url, { key, until: after(ctx.clock.now(), keptMs) })
      key.catch(() => known.delete(url))
      return key
    },
  }
})

async function fetchCertificate(ctx: Context, url: string): Promise<KeyObject> {
  const answer = await ctx.webhooks.call({ url, method: 'GET', headers: {}, ownHeaders: {}, body: null })
  if (answer.outcome !== 'answered' || answer.statusCode !== 200 || answer.url !== url)
    throw unavailable('The certificate of the notification could not be fetched', answer)
  return keyOf(answer.response, ctx.clock.now())
}

function keyOf(pem: string, now: Date): KeyObject {
  try {
    if (!pem.trimStart().startsWith('-----BEGIN CERTIFICATE-----')) throw new Error('not a certificate')
    const certificate = new X509Certificate(pem)
    const isCurrent = new Date(certificate.validFrom) <= now && now <= new Date(certificate.validTo)
    if (!isCurrent || certificate.publicKey.asymmetricKeyType !== 'rsa') throw new Error('not a usable one')
    return certificate.publicKey
  } catch (cause) {
    throw forbidden('FORBIDDEN', 'The certificate of the notification is not valid', { cause })
  }
}
