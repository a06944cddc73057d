// Codes of authenticators: the vectors of RFC 6238, the window, and how codes may be typed.
import { expect, test } from 'bun:test'
import { Secret } from 'otpauth'
import { isTimeCode, plainCode, timeStepOf } from '../../../src/modules/accounts/users/second-factor'

const secret = Secret.fromUTF8('12345678901234567890').base32

/** Appendix B of the RFC, the last six digits. */
test.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
])('at second %p the code is %p, and good one step around it', async (seconds, code) => {
  const step = Math.floor(seconds / 30)
  const at = (steps: number) => timeStepOf(secret, code, new Date((seconds + steps * 30) * 1000))
  expect(await Promise.all([-2, -1, 0, 1, 2].map(at))).toEqual([undefined, step, step, step, undefined])
})

test.each(['', '28708', '2870820', 'abcdef', '28708２', '-87082'])('%p is no code', async text => {
  expect(await timeStepOf(secret, text, new Date(59_000))).toBeUndefined()
})

test('gaps do not count', () => {
  expect([' 287 082', '287-082\n', 'ABCD-efgh'].map(plainCode)).toEqual(['287082', '287082', 'abcdefgh'])
  expect([isTimeCode('287082'), isTimeCode('2870820'), isTimeCode('28708a')]).toEqual([true, false, false])
})
