// RSA signatures by the OpenSSL 3 of the machine, which is more than twice as fast as the runtime's own library where the processor has
// AVX-512 (its code for that is not in BoringSSL). Linux only: elsewhere the library has no name that could be relied on.
import { dlopen, FFIType, type Pointer, ptr } from 'bun:ffi'
import { createPrivateKey } from 'node:crypto'

export interface Libcrypto {
  /** The signature (PKCS #1 v1.5) of a SHA-256 digest; undefined if the key can't be read or is not for RSA. */
  sign(job: { digest: Uint8Array; privateKey: string }): Uint8Array | undefined
  /** Frees the keys that were read; the library wipes their memory. */
  freeKeys(): void
}

const { ptr: pointer, i32, i64, u64 } = FFIType
const functions = {
  OPENSSL_init_crypto: { args: [u64, pointer], returns: i32 },
  d2i_AutoPrivateKey: { args: [pointer, pointer, i64], returns: pointer },
  EVP_PKEY_free: { args: [pointer], returns: FFIType.void },
  EVP_PKEY_CTX_new: { args: [pointer, pointer], returns: pointer },
  EVP_PKEY_CTX_free: { args: [pointer], returns: FFIType.void },
  EVP_PKEY_sign_init: { args: [pointer], returns: i32 },
  EVP_PKEY_CTX_set_rsa_padding: { args: [pointer, i32], returns: i32 },
  EVP_PKEY_CTX_set_signature_md: { args: [pointer, pointer], returns: i32 },
  EVP_sha256: { args: [], returns: pointer },
  EVP_PKEY_sign: { args: [pointer, pointer, pointer, pointer, u64], returns: i32 },
} as const

/** OPENSSL_INIT_NO_ATEXIT and OPENSSL_INIT_NO_LOAD_CONFIG: the process belongs to the runtime, and the machine's OpenSSL settings are not for it. */
const initOptions = 0x80000n | 0x80n
const pkcs1Padding = 1
/** Of a key of 16,384 bits, the longest that OpenSSL takes. */
const maxSignatureBytes = 2_048

/** The library, or undefined where the machine has none. It stays loaded: threads that used it must find it when they end. */
export function openLibcrypto(): Libcrypto | undefined {
  if (process.platform !== 'linux') return undefined
  try {
    const { symbols } = dlopen('libcrypto.so.3', functions)
    return symbols.OPENSSL_init_crypto(initOptions, null) === 1 ? signingWith(symbols) : undefined
  } catch {
    return undefined
  }
}

type Symbols = ReturnType<typeof dlopen<typeof functions>>['symbols']

function signingWith(library: Symbols): Libcrypto {
  const contexts = new Map<string, Pointer | undefined>()
  const length = new BigUint64Array(1)
  const space = new Uint8Array(maxSignatureBytes)

  return {
    sign({ digest, privateKey }) {
      if (!contexts.has(privateKey)) contexts.set(privateKey, makeContext(library, privateKey))
      const context = contexts.get(privateKey)
      if (!context) return undefined
      length[0] = BigInt(space.length)
      const isSigned = library.EVP_PKEY_sign(context, ptr(space), ptr(length), ptr(digest), digest.length)
      return isSigned === 1 ? space.slice(0, Number(length[0])) : undefined
    },
    freeKeys() {
      for (const context of contexts.values()) library.EVP_PKEY_CTX_free(context ?? null)
      contexts.clear()
    },
  }
}

/** Holds the key; freeing it frees both. */
function makeContext(library: Symbols, privateKey: string): Pointer | undefined {
  const key = readKey(library, privateKey)
  const context = key && (library.EVP_PKEY_CTX_new(key, null) as Pointer | null)
  // The context holds a reference to the key.
  library.EVP_PKEY_free(key)
  const isReady =
    context &&
    library.EVP_PKEY_sign_init(context) === 1 &&
    library.EVP_PKEY_CTX_set_rsa_padding(context, pkcs1Padding) === 1 &&
    library.EVP_PKEY_CTX_set_signature_md(context, library.EVP_sha256()) === 1
  if (isReady) return context
  library.EVP_PKEY_CTX_free(context)
  return undefined
}

function readKey(library: Symbols, privateKey: string): Pointer | null {
  let der: Buffer
  try {
    der = createPrivateKey(privateKey).export({ type: 'pkcs8', format: 'der' })
  } catch {
    return null
  }
  const at = new BigUint64Array([BigInt(ptr(der))])
  const key = library.d2i_AutoPrivateKey(null, ptr(at), der.length)
  der.fill(0)
  return key as Pointer | null
}
