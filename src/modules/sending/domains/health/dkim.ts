// The finding about a signature's key (RFC 6376, RFC 8301). Pure.
import type { DnsAnswer } from '../../../../mail/dns/resolver'
import { dkimStrength } from './dkim-strength'
import { type DomainFinding, findingsAbout } from './finding'

/** `publish`: our own key, where it is we who sign. */
export function dkimFinding(
  name: string,
  answer: DnsAnswer<string>,
  publish: string | undefined,
): DomainFinding {
  const say = findingsAbout('dkim')
  const values: Record<string, string> = { name }
  const record = publish === undefined ? {} : { record: { type: 'TXT' as const, name, value: publish } }
  if (answer.status === 'failed')
    return say({
      level: 'warn',
      code: 'dkim.unknown',
      message: `No name server answered about ${name}`,
      values,
    })
  const found = (answer.status === 'found' ? answer.records : []).slice(0, 20)
  const strengths = found.map(dkimStrength).filter(one => one !== undefined)
  const [strength] = strengths
  if (!strength || strength.kind === 'revoked')
    return say({
      level: 'fail',
      code: 'dkim.missing',
      message: `There is no key at ${name}`,
      values,
      ...record,
    })
  if (strength.kind === 'unreadable')
    return say({
      level: 'fail',
      code: 'dkim.unreadable',
      message: `What is published at ${name} is not a key`,
      values,
      ...record,
    })
  if (strength.kind === 'modern')
    return say({ level: 'ok', code: 'dkim.strong', message: `The key at ${name} is of Ed25519`, values })
  const { kind, bits } = strength
  const said = { values: { ...values, bits: String(bits) } }
  if (kind === 'strong')
    return say({ level: 'ok', code: 'dkim.strong', message: `The key at ${name} has ${bits} bits`, ...said })
  return kind === 'weak'
    ? say({
        level: 'fail',
        code: 'dkim.weak',
        message: `The key at ${name} has ${bits} bits, and receivers ignore it`,
        ...said,
        ...record,
      })
    : say({
        level: 'warn',
        code: 'dkim.short',
        message: `The key at ${name} has ${bits} bits; 2048 are usual`,
        ...said,
        ...record,
      })
}

/** Only the relay knows where its key is. */
export function signedByRelay(): DomainFinding {
  const message = 'The relay signs mail from this domain: send yourself a message to check that it does'
  return findingsAbout('dkim')({ level: 'ok', code: 'dkim.byRelay', message })
}
