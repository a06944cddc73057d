// Which signatures of other servers hold; ours, and those of an independent signer in the simple forms.
import { describe, expect, test } from 'bun:test'
import { generateKeyPairSync } from 'node:crypto'
import { dkimSign } from 'mailauth/lib/dkim/sign'
import { signMessage } from '../../../../src/mail/dkim/sign'
import { isSignedBy } from '../../../../src/mail/dkim/verify'

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const pem = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString()
const record = `v=DKIM1; k=rsa; p=${publicKey.export({ format: 'der', type: 'spki' }).toString('base64')}`
const now = new Date('2026-03-01T12:00:00.000Z')
const raw = Buffer.from(
  'From: Loop <fbl@loop.example>\r\nTo: fbl@acme.example\r\nSubject:  A  report \r\n\r\nSome  text \r\n\r\n\r\n',
)

function check(message: Uint8Array, published = record, domain = 'loop.example'): Promise<boolean> {
  const asked = async (name: string) => (name === 'one._domainkey.loop.example' ? [published] : [])
  return isSignedBy(message, one => one === domain, now, asked)
}

async function byOther(canonicalization: string): Promise<Uint8Array> {
  const key = { signingDomain: 'loop.example', selector: 'one', privateKey: pem, canonicalization }
  const { signatures } = await dkimSign(raw, { ...key, signatureData: [key] })
  return Buffer.concat([Buffer.from(signatures), raw])
}

const ours = () => signMessage(raw, { domain: 'loop.example', selector: 'one', privateKey: pem })

describe('a signature', () => {
  test('of ours holds', async () => {
    expect(await check(await ours())).toBe(true)
  })

  test.each(['relaxed/relaxed', 'relaxed/simple', 'simple/relaxed', 'simple/simple'])(
    'in the form %s of another signer holds',
    async form => {
      expect(await check(await byOther(form))).toBe(true)
    },
  )

  test('does not hold over other bytes, by another key, or of another domain', async () => {
    const signed = Buffer.from(await ours()).toString('latin1')
    const other = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey
    const otherRecord = `p=${other.export({ format: 'der', type: 'spki' }).toString('base64')}`
    const changed = (from: string, to: string) => Buffer.from(signed.replace(from, to), 'latin1')
    expect(await check(changed('Some', 'Same'))).toBe(false)
    expect(await check(changed('From: Loop <fbl@', 'From: Loop <fbi@'))).toBe(false)
    expect(await check(Buffer.from(`From: x@loop.example\r\n${signed}`))).toBe(false)
    expect(await check(Buffer.from(signed), otherRecord)).toBe(false)
    expect(await check(Buffer.from(signed), 'v=DKIM1; p=')).toBe(false)
    expect(await check(Buffer.from(signed), record, 'acme.example')).toBe(false)
    expect(await check(raw)).toBe(false)
  })
})
