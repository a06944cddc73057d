// From DNS answers to statuses: one row a rule.
import { describe, expect, test } from 'bun:test'
import { createPublicKey } from 'node:crypto'
import type { DnsAnswer } from '../../../src/mail/dns/resolver'
import {
  checkRecords,
  dkimStatus,
  dmarcStatus,
  spfStatus,
  type TxtAnswers,
} from '../../../src/modules/sending/domains/check'
import { makeKeyPair } from '../../../src/modules/sending/domains/key'
import { nothingKnown } from '../../../src/modules/sending/domains/records'

const found = (...records: string[]): DnsAnswer<string> => ({ status: 'found', records })
const nodata: DnsAnswer<string> = { status: 'nodata' }
const nxdomain: DnsAnswer<string> = { status: 'nxdomain' }
const failed: DnsAnswer<string> = { status: 'failed', reason: 'timeout' }
const key = 'MIIBIjANBgkqhkiG9w0BAQEF+/AAOCAQ8AMIIBCgKCAQEA=='

describe('DKIM is', () => {
  test.each<[string, DnsAnswer<string>, unknown]>([
    ['verified as published', found(`v=DKIM1; k=rsa; p=${key}`), 'verified'],
    ['verified with the key alone', found(`p=${key}`), 'verified'],
    ['verified without spaces and with a last semicolon', found(`v=DKIM1;k=rsa;p=${key};`), 'verified'],
    [
      'verified with spaces and tabs inside the key',
      found(`v = DKIM1 ; k=rsa;\tp= ${key.slice(0, 9)} \t${key.slice(9)} `),
      'verified',
    ],
    ['verified with names in another case', found(`V=dkim1; K=RSA; P=${key}`), 'verified'],
    ['verified in test mode, with a note', found(`v=DKIM1; t=y; n=note; p=${key}`), 'verified'],
    [
      'verified beside other texts',
      found('v=spf1 -all', 'google-site-verification=x', `v=DKIM1; p=${key}`),
      'verified',
    ],
    ['verified beside another key', found('v=DKIM1; p=OTHER', `v=DKIM1; p=${key}`), 'verified'],
    ['verified with the hash and service that we use', found(`h=sha1:sha256; s=email; p=${key}`), 'verified'],
    ['failed with another key', found('v=DKIM1; k=rsa; p=OTHER'), 'failed'],
    ['failed with the key in another case, which is another key', found(`p=${key.toLowerCase()}`), 'failed'],
    ['failed with a cut key', found(`v=DKIM1; p=${key.slice(0, 20)}`), 'failed'],
    ['failed with a revoked key', found('v=DKIM1; p='), 'failed'],
    ['failed with another kind of key', found(`v=DKIM1; k=ed25519; p=${key}`), 'failed'],
    ['failed with another version', found(`v=DKIM2; p=${key}`), 'failed'],
    ['failed for a hash that we do not use', found(`h=sha1; p=${key}`), 'failed'],
    ['failed for another service', found(`s=other; p=${key}`), 'failed'],
    ['pending beside other texts only', found('v=spf1 -all', 'hello'), 'pending'],
    ['pending without a record', nodata, 'pending'],
    ['pending without a name', nxdomain, 'pending'],
    ['unknown without an answer', failed, undefined],
  ])('%s', (_, answer, expected) => {
    expect(dkimStatus(answer, key)).toBe(expected as never)
  })
})

describe('SPF is', () => {
  test.each<[string, DnsAnswer<string>, unknown]>([
    ['verified with one policy', found('v=spf1 mx ~all'), 'verified'],
    ['verified with the shortest policy, in any case', found('V=SPF1'), 'verified'],
    ['verified beside other texts', found('hello', 'v=spf1 include:x.test -all'), 'verified'],
    ['failed with two policies', found('v=spf1 mx ~all', 'v=spf1 a -all'), 'failed'],
    ['pending for a look-alike', found('v=spf10 mx', 'spf1'), 'pending'],
    ['pending without a record', nodata, 'pending'],
    ['unknown without an answer', failed, undefined],
  ])('%s', (_, answer, expected) => {
    expect(spfStatus(answer)).toBe(expected as never)
  })
})

describe('DMARC is', () => {
  test.each<[string, Array<DnsAnswer<string>>, unknown]>([
    ['verified with its own policy', [found('v=DMARC1; p=none')], 'verified'],
    ['verified in another spelling', [found(' V = dmarc1 ;P=Reject; rua=mailto:x@y.test')], 'verified'],
    ['verified by the policy above', [nxdomain, found('v=DMARC1; p=quarantine')], 'verified'],
    ['verified by the policy above other texts', [found('hello'), found('v=DMARC1; p=none')], 'verified'],
    ['failed with an unknown policy', [found('v=DMARC1; p=maybe')], 'failed'],
    ['failed without a policy', [found('v=DMARC1')], 'failed'],
    ['failed with two policies', [found('v=DMARC1; p=none', 'v=DMARC1; p=reject')], 'failed'],
    [
      'failed by its own policy, whatever stands above',
      [found('v=DMARC1; p=x'), found('v=DMARC1; p=none')],
      'failed',
    ],
    ['pending without any', [nxdomain, nodata], 'pending'],
    ['unknown when the nearer name was not answered', [failed, found('v=DMARC1; p=none')], undefined],
    ['unknown when the farther name was not answered', [nxdomain, failed], undefined],
  ])('%s', (_, answers, expected) => {
    expect(dmarcStatus(answers)).toBe(expected as never)
  })
})

describe('a domain', () => {
  const good: TxtAnswers = {
    dkim: found(`v=DKIM1; p=${key}`),
    spf: found('v=spf1 mx ~all'),
    dmarc: [found('v=DMARC1; p=none')],
  }
  const verifiedBefore = {
    verified: true,
    statuses: { dkim: 'verified', spf: 'verified', dmarc: 'verified' },
  } as const
  const pendingBefore = { verified: false, statuses: nothingKnown }

  test('is verified by DKIM alone: SPF and DMARC are warnings', () => {
    const verdict = checkRecords({ ...good, spf: nxdomain, dmarc: [found('v=DMARC1')] }, key, pendingBefore)
    expect(verdict).toEqual({
      verified: true,
      known: true,
      statuses: { dkim: 'verified', spf: 'pending', dmarc: 'failed' },
    })
  })

  test('is not verified by SPF and DMARC alone', () => {
    expect(checkRecords({ ...good, dkim: nodata }, key, pendingBefore).verified).toBe(false)
  })

  test('loses its verification when the record is gone or another', () => {
    expect(checkRecords({ ...good, dkim: nxdomain }, key, verifiedBefore).verified).toBe(false)
    expect(checkRecords({ ...good, dkim: found('p=OTHER') }, key, verifiedBefore).verified).toBe(false)
  })

  test('keeps what it was when no server answers', () => {
    const silent: TxtAnswers = { dkim: failed, spf: failed, dmarc: [failed] }
    expect(checkRecords(silent, key, verifiedBefore)).toEqual({ ...verifiedBefore, known: false })
    expect(checkRecords(silent, key, pendingBefore)).toEqual({ ...pendingBefore, known: false })
  })
})

test('a key pair is RSA of 2048 bits and fits in a TXT record', async () => {
  const { publicKey, privateKey } = await makeKeyPair()
  const derived = createPublicKey(privateKey)
  expect(derived.export({ type: 'spki', format: 'der' }).toString('base64')).toBe(publicKey)
  expect(derived.asymmetricKeyDetails?.modulusLength).toBe(2048)
})
