import { describe, expect, test } from 'bun:test'
import { generateKeyPairSync } from 'node:crypto'
import fc from 'fast-check'
import { dkimVerify } from 'mailauth/lib/dkim/verify'
import DKIM from 'nodemailer/lib/dkim'
import { signMessage } from '../../../../src/mail/dkim/sign'
import type { ComposedMail } from '../../../../src/mail/mime/mail'
import { buildMime } from '../../../../src/mail/mime/message'

const { publicKey, privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'der' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
})
const key = { domain: 'example.com', selector: 'wx1', privateKey }

const mail: ComposedMail = {
  from: 'sender@example.com',
  fromName: 'Ann Äther',
  to: 'ada@example.org',
  subject: 'Grüße  aus   der Ferne',
  html: '<p>Hi</p>',
  text: 'Hi',
  headers: {
    'List-Unsubscribe': `<https://example.com/${'u'.repeat(120)}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  },
  attachments: [],
  messageId: 'm1@example.com',
  date: new Date('2026-11-21T05:08:39Z'),
}

/** What an independent verifier says, asked with the key that the domain would publish. */
async function verdict(message: Uint8Array): Promise<string> {
  const { results } = await dkimVerify(Buffer.from(message), {
    resolver: async name => {
      expect(name).toBe('wx1._domainkey.example.com')
      return [[`v=DKIM1; k=rsa; p=${publicKey.toString('base64')}`]]
    },
  })
  return results.map(result => String(result.status.result)).join()
}

async function referenceSigned(message: Uint8Array): Promise<string> {
  const signer = new DKIM({ domainName: key.domain, keySelector: key.selector, privateKey })
  const chunks: Buffer[] = []
  for await (const chunk of signer.sign(Buffer.from(message))) chunks.push(chunk)
  return Buffer.concat(chunks).toString('latin1')
}

const bodyHash = (message: string): string | undefined =>
  /bh=([^;]+);/.exec(message.replace(/\r\n[ \t]/g, ''))?.[1]?.replace(/\s/g, '')
const signedText = async (message: Uint8Array): Promise<string> =>
  Buffer.from(await signMessage(message, key)).toString('latin1')
const bytes = (text: string): Uint8Array => Buffer.from(text, 'latin1')

describe('signatures', () => {
  test('an independent verifier accepts a signed mail', async () => {
    expect(await verdict(await signMessage(buildMime(mail), key))).toBe('pass')
  })

  test('the message itself is left as it is', async () => {
    const raw = buildMime(mail)
    const signed = Buffer.from(await signMessage(raw, key))
    expect(signed.subarray(signed.length - raw.length).equals(Buffer.from(raw))).toBe(true)
    expect(signed.toString('latin1')).toStartWith(
      'DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=example.com; s=wx1;\r\n h=From:From:',
    )
    for (const line of signed
      .subarray(0, signed.length - raw.length)
      .toString('latin1')
      .split('\r\n'))
      expect(line.length).toBeLessThanOrEqual(78)
  })

  const tampered: Array<[string, (text: string) => string]> = [
    ['another subject', text => text.replace('Subject: ', 'Subject: X')],
    ['another body', text => `${text}more\r\n`],
    ['a second From', text => text.replace('\r\nTo:', '\r\nFrom: evil@example.org\r\nTo:')],
    ['a second Subject in front', text => text.replace('\r\nTo:', '\r\nSubject: evil\r\nTo:')],
    ['an added Cc', text => text.replace('\r\nTo:', '\r\nCc: evil@example.org\r\nTo:')],
    ['another unsubscribe link', text => text.replace('https://example.com/u', 'https://example.com/x')],
    ['another recipient', text => text.replace('ada@example.org', 'eve@example.org')],
  ]
  test.each(tampered)('%s breaks the signature', async (_name, change) => {
    const text = await signedText(buildMime(mail))
    const changed = change(text)
    expect(changed).not.toBe(text)
    expect(await verdict(bytes(changed))).not.toBe('pass')
  })

  test.each([
    ['more blanks at a line end', (text: string) => text.replace('\r\nHi\r\n', '\r\nHi \t \r\n')],
    ['another fold of a header', (text: string) => text.replace('\r\nTo: ', '\r\nTo:\r\n ')],
    ['empty lines at the end', (text: string) => `${text}\r\n\r\n`],
  ])('%s on the way does not break it', async (_name, change) => {
    expect(await verdict(bytes(change(await signedText(buildMime(mail)))))).toBe('pass')
  })

  const head = 'From: a@example.com\r\nTo: b@example.org\r\nSubject: x\r\nReceived: one\r\nReceived: two\r\n'
  test.each([
    ['no body', `${head}\r\n`],
    ['no blank line', head],
    ['empty lines only', `${head}\r\n\r\n\r\n`],
    ['blanks only', `${head}\r\n  \t \r\n \r\n`],
    ['no line end at the end', `${head}\r\nabc`],
    ['blanks at line ends', `${head}\r\na  \t\r\n\t b  c \r\n\r\n \r\n`],
    ['a body that starts with empty lines', `${head}\r\n\r\n\r\nx\r\n`],
  ])('%s is signed like the reference does', async (_name, text) => {
    expect(await verdict(await signMessage(bytes(text), key))).toBe('pass')
    expect(bodyHash(await signedText(bytes(text)))).toBe(bodyHash(await referenceSigned(bytes(text)))!)
  })

  test('whatever the body, verifier and reference agree', async () => {
    const piece = fc.constantFrom('a', ' ', '  ', '\t', '\r\n', '\r\n\r\n', '.', '=', 'é', 'x'.repeat(80))
    await fc.assert(
      fc.asyncProperty(
        fc.array(piece, { maxLength: 25 }).map(parts => parts.join('')),
        async body => {
          const message = bytes(`${head}\r\n${body}`)
          const signed = await signMessage(message, key)
          expect(await verdict(signed)).toBe('pass')
          expect(bodyHash(Buffer.from(signed).toString('latin1'))).toBe(
            bodyHash(await referenceSigned(message))!,
          )
          expect(
            await verdict(await signMessage(buildMime({ ...mail, text: body, html: `<p>${body}</p>` }), key)),
          ).toBe('pass')
        },
      ),
      { numRuns: 150 },
    )
  })

  test('a broken key is an error, not an unsigned mail', () => {
    expect(signMessage(buildMime(mail), { ...key, privateKey: 'nonsense' })).rejects.toThrow()
  })
})
