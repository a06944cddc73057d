// What an answer says about a transport as a whole, and whether the message may go by another one. Pure.
import { isTransportFault } from '../outcome'
import { signInCodes } from '../reply'
import type { SendResult } from '../transport'

/** It would have failed any message: connection, sign-in, the server closing, or what we may send through it being used up. */
export function failsAsWhole(result: SendResult): boolean {
  if (result.outcome === 'accepted' || ('internal' in result && result.internal)) return false
  return isTransportFault(result) || isAboutSignIn(result) || isOverQuota(result)
}

/**
 * Where the other side may have the message already, a second relay would double it: then it is tried again by the plan, as where there is
 * one transport.
 */
export function movesOn(result: SendResult): boolean {
  return failsAsWhole(result) && !('mayHaveArrived' in result && result.mayHaveArrived)
}

function isAboutSignIn({ code }: SendResult): boolean {
  return code !== undefined && signInCodes.includes(code)
}

/** 4.3.1 and 4.3.2: the relay is full, or takes nothing now. 5.4.5: what the account may send is used up (Gmail). */
const quotaCodes: readonly (string | undefined)[] = ['4.3.1', '4.3.2', '5.4.5']
const quotaWords = /\bquota\b|\b(?:daily|hourly|monthly|sending|message) limit\b/i
/** RCPT speaks of the recipient's mailbox, and so do x.2.x at any stage. */
const aboutUs: ReadonlyArray<SendResult['stage']> = ['mail', 'data', 'final']

function isOverQuota({ outcome, stage, enhanced, response }: SendResult): boolean {
  if (!aboutUs.includes(stage)) return false
  if (quotaCodes.includes(enhanced)) return true
  return outcome === 'deferred' && !/^[45]\.2\./.test(enhanced ?? '') && quotaWords.test(response)
}
