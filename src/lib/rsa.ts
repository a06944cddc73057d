// RSA signatures over SHA-256 (PKCS #1 v1.5), made on the threads of the runtime so that the event loop goes on.
import { createPrivateKey, type KeyObject, sign } from 'node:crypto'
import { promisify } from 'node:util'

/** Signs bytes with a key in PEM (PKCS #8). The same bytes and key give the same signature. */
export type SignSha256 = (data: Buffer, privateKey: string) => Promise<Buffer>

const signData = promisify<string, Buffer, KeyObject, Buffer>(sign)

/** Throws if the key can't be read. */
export const signSha256: SignSha256 = async (data, privateKey) =>
  await signData('sha256', data, keyObject(privateKey))

/** Parsing a key takes a sixth of the time of signing with it, and a campaign signs with one key: the last few stay parsed. */
const maxParsedKeys = 256
const parsedKeys = new Map<string, KeyObject>()

function keyObject(pem: string): KeyObject {
  const known = parsedKeys.get(pem)
  if (known) return known
  const parsed = createPrivateKey(pem)
  if (parsedKeys.size >= maxParsedKeys) parsedKeys.delete(parsedKeys.keys().next().value!)
  parsedKeys.set(pem, parsed)
  return parsed
}
