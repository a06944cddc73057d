// Makes the key pair that a domain's mail is signed with. RSA-2048 takes about 70 ms of a thread, which is not the event loop's.
import { generateKeyPair } from 'node:crypto'
import { promisify } from 'node:util'

export interface KeyPair {
  /** Base64 of the SubjectPublicKeyInfo: what DNS publishes. */
  publicKey: string
  /** PKCS #8 in PEM. */
  privateKey: string
}

const generate = promisify(generateKeyPair)

export async function makeKeyPair(): Promise<KeyPair> {
  const { publicKey, privateKey } = await generate('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  return { publicKey: publicKey.toString('base64'), privateKey }
}
