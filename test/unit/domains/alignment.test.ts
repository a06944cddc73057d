// DMARC alignment (RFC 7489) and the strength of keys (RFC 6376, RFC 8301), by table.
import { describe, expect, test } from 'bun:test'
import { generateKeyPairSync } from 'node:crypto'
import type { DnsAnswer } from '../../../src/mail/dns/resolver'
import { dkimFinding } from '../../../src/modules/sending/domains/health/dkim'
import { dmarcFinding } from '../../../src/modules/sending/domains/health/dmarc'
import { readDmarc } from '../../../src/modules/sending/domains/health/dmarc-record'
import { reverseFinding } from '../../../src/modules/sending/domains/health/reverse'

const found = (...records: string[]): DnsAnswer<string> => ({ status: 'found', records })
const nothing: DnsAnswer<string> = { status: 'nxdomain' }
const silent: DnsAnswer<string> = { status: 'failed', reason: 'timeout' }

describe('DMARC', () => {
  const own = { addresses: [] }
  const bounces = { addresses: [], envelopeDomain: 'bounces.example.com' }
  const provider = { addresses: [], envelopeDomain: 'amazonses.com' }
  test.each<[string, object, Array<DnsAnswer<string>>, string]>([
    ['the own domain', own, [found('v=DMARC1; p=reject')], 'ok dmarc.aligned reject'],
    ['strict, the own domain', own, [found('v=DMARC1;p=none;aspf=s;adkim=s')], 'ok dmarc.aligned none'],
    ['3.1.2: relaxed, a sub-domain', bounces, [found('v=DMARC1; p=none')], 'ok dmarc.aligned none'],
    ['3.1.2: strict, a sub-domain', bounces, [found('v=DMARC1; p=none; aspf=s')], 'ok dmarc.byDkim none'],
    ['the provider’s envelope', provider, [found('v=DMARC1; p=none')], 'ok dmarc.byDkim none'],
    [
      '6.6.3: inherited',
      own,
      [nothing, found('v=DMARC1; p=reject; sp=quarantine')],
      'ok dmarc.aligned quarantine',
    ],
    ['6.6.3: inherited without sp', own, [nothing, found('v=DMARC1; p=reject')], 'ok dmarc.aligned reject'],
    ['other texts are passed over', own, [found('x', 'v=DMARC1; p=none')], 'ok dmarc.aligned none'],
    ['none', own, [nothing, nothing], 'warn dmarc.missing '],
    ['two', own, [found('v=DMARC1; p=none', 'v=DMARC1; p=reject')], 'fail dmarc.several '],
    ['no policy', own, [found('v=DMARC1; rua=mailto:a@b.example')], 'fail dmarc.invalid '],
    ['no answer', own, [silent], 'warn dmarc.unknown '],
  ])('%s', (_, route, answers, said) => {
    const { level, code, values } = dmarcFinding('example.com', route as never, readDmarc(answers))
    expect(`${level} ${code} ${values['policy'] ?? ''}`).toBe(said)
  })
})

describe('DKIM', () => {
  const rsa = (modulusLength: number): string =>
    generateKeyPairSync('rsa', {
      modulusLength,
      publicKeyEncoding: { type: 'spki', format: 'der' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    }).publicKey.toString('base64')
  const short = rsa(1024)
  test.each<[string, DnsAnswer<string>, string]>([
    ['768 bits', found(`v=DKIM1; p=${rsa(768)}`), 'fail dkim.weak 768'],
    ['1024 bits', found(`v=DKIM1; k=rsa; p=${short}`), 'warn dkim.short 1024'],
    ['2048 bits, in pieces', found(`p=${rsa(2048).replace(/(.{60})/g, '$1 ')}`), 'ok dkim.strong 2048'],
    [
      'Ed25519',
      found('v=DKIM1; k=ed25519; p=11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo='),
      'ok dkim.strong ',
    ],
    ['nonsense', found('v=DKIM1; p=abc'), 'fail dkim.unreadable '],
    ['a key without end', found(`v=DKIM1; p=${'A'.repeat(50_000)}`), 'fail dkim.unreadable '],
    ['revoked', found('v=DKIM1; p='), 'fail dkim.missing '],
    ['another text', found('hello'), 'fail dkim.missing '],
    ['nothing', nothing, 'fail dkim.missing '],
    ['no answer', silent, 'warn dkim.unknown '],
  ])('%s', (_, answer, said) => {
    const { level, code, values, record } = dkimFinding('wx1._domainkey.example.com', answer, 'v=DKIM1; p=x')
    expect(`${level} ${code} ${values['bits'] ?? ''}`).toBe(said)
    expect(record?.value).toBe(level === 'ok' || code === 'dkim.unknown' ? undefined : 'v=DKIM1; p=x')
  })
})

describe('reverse DNS', () => {
  test.each([
    [['mail.example'], 'mail.example', 'ok reverse.confirmed'],
    [['mail.example'], undefined, 'warn reverse.other'],
    [[], undefined, 'warn reverse.missing'],
  ])('%p that leads back by %p', (names, confirmed, said) => {
    const { level, code } = reverseFinding('192.0.2.1', { status: 'found', names, confirmed })
    expect(`${level} ${code}`).toBe(said)
  })

  test('that nobody tells', () => {
    const { level, code } = reverseFinding('192.0.2.1', { status: 'failed', reason: 'timeout' })
    expect(`${level} ${code}`).toBe('warn reverse.unknown')
  })
})
