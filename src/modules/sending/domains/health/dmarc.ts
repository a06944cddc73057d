// The finding about DMARC (RFC 7489): a policy, and mail that is aligned as it asks. Pure.
import { dmarcName } from '../records'
import { type DmarcRecord, isAligned } from './dmarc-record'
import { type DomainFinding, findingsAbout, type SendingRoute } from './finding'

/** Mail is signed in the name of the domain itself, whoever signs. */
export function dmarcFinding(domain: string, route: SendingRoute, dmarc: DmarcRecord): DomainFinding {
  const say = findingsAbout('dmarc')
  const record = { type: 'TXT' as const, name: dmarcName(domain), value: 'v=DMARC1; p=none' }
  if (dmarc === 'unknown')
    return say({ level: 'warn', code: 'dmarc.unknown', message: 'No name server answered about DMARC' })
  if (dmarc === 'missing')
    return say({ level: 'warn', code: 'dmarc.missing', message: 'There is no DMARC record', record })
  if (dmarc === 'several')
    return say({
      level: 'fail',
      code: 'dmarc.several',
      message: 'There is more than one DMARC record, and receivers follow none: keep one',
    })
  if (dmarc === 'invalid')
    return say({ level: 'fail', code: 'dmarc.invalid', message: 'The DMARC record has no policy', record })
  const envelope = route.envelopeDomain ?? domain
  const values = { policy: dmarc.policy, envelope, domain }
  const spf = isAligned(domain, envelope, dmarc.strictSpf)
  return spf
    ? say({
        level: 'ok',
        code: 'dmarc.aligned',
        message: `DMARC (p=${dmarc.policy}): envelope and signature are in the name of the domain`,
        values,
      })
    : say({
        level: 'ok',
        code: 'dmarc.byDkim',
        message: `DMARC (p=${dmarc.policy}): the signature is in the name of the domain; the envelope, of ${envelope}, is not`,
        values,
      })
}
