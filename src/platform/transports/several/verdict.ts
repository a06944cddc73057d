// What an answer says about a transport as a whole, and whether the message may go by another one. Pure.
import { isAboutSignIn, isAllowanceUsedUp, isServerFault } from '../../../mail/bounces'
import type { SendResult } from '../../../mail/message'
import { asAnswer } from '../../../mail/smtp/reply'

/** It would have failed any message: connection, sign-in, the server closing, or what we may send through it being used up. */
export function failsAsWhole(result: SendResult): boolean {
  if (result.outcome === 'accepted' || ('internal' in result && result.internal)) return false
  const answer = asAnswer(result)
  return isServerFault(answer) || isAboutSignIn(answer.code) || isAllowanceUsedUp(answer)
}

/**
 * Where the other side may have the message already, a second relay would double it: then it is tried again by the plan, as where there is
 * one transport.
 */
export function movesOn(result: SendResult): boolean {
  return failsAsWhole(result) && !('mayHaveArrived' in result && result.mayHaveArrived)
}
