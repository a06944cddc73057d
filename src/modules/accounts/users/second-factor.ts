// Codes of an authenticator (TOTP, RFC 6238) and recovery codes: how they are made, written and checked. The library is loaded only when
// a code is handled. Pure.
import { createHash } from 'node:crypto'
import type { Random } from '../../../lib/ids'
import { second } from '../../../lib/time'

/** What all authenticators support: SHA-1, six digits, half a minute. */
const shape = { issuer: 'Waxwing', algorithm: 'SHA1', digits: 6, period: 30 } as const

/** 160 bits, as RFC 4226 recommends. */
const secretBytes = 20

/** A code may be one step early or late: clocks differ, and people type slowly. */
const stepsAside = 1

async function totp(label: string, secret: string) {
  const { Secret, TOTP } = await import('otpauth')
  return new TOTP({ ...shape, label, secret: Secret.fromBase32(secret) })
}

/** In base32, as people type it into their authenticator. */
export async function makeSecret(random: Random): Promise<string> {
  const { Secret } = await import('otpauth')
  return new Secret({ buffer: Uint8Array.from(random.bytes(secretBytes)).buffer }).base32
}

/** The content of the QR code for an authenticator. */
export async function secretUri(email: string, secret: string): Promise<string> {
  return (await totp(email, secret)).toString()
}

/** The time step of a code, within the window around `now`; undefined for any other text. */
export async function timeStepOf(secret: string, code: string, now: Date): Promise<number | undefined> {
  const timestamp = now.getTime()
  const delta = (await totp('', secret)).validate({ token: code, timestamp, window: stepsAside })
  return delta === null ? undefined : Math.floor(timestamp / (shape.period * second)) + delta
}

/** What was typed, in the form that is compared: without the spaces that people and programs write. */
export function plainCode(typed: string): string {
  return typed.replaceAll(/[\s-]/g, '').toLowerCase()
}

export function isTimeCode(code: string): boolean {
  return /^\d{6}$/.test(code)
}

/** Without letters that look like digits, or like each other. */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'
const recoveryLength = 16
const recoveryCount = 10

/** Ten, of 80 random bits each, in groups of four. */
export function makeRecoveryCodes(random: Random): string[] {
  return Array.from({ length: recoveryCount }, () =>
    [...random.bytes(recoveryLength)]
      .map(byte => alphabet[byte % alphabet.length])
      .join('')
      .replaceAll(/(.{4})(?=.)/g, '$1-'),
  )
}

/** There is nothing to guess in 80 random bits, so a plain SHA-256 is enough. */
export function hashRecoveryCode(code: string): string {
  return createHash('sha256').update(plainCode(code)).digest('hex')
}
