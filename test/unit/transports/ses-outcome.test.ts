// Words about what SES or the way to it says, for faults that no server can play.
import { expect, test } from 'bun:test'
import { outcomeOfFault, readFault } from '../../../src/platform/transports/ses-outcome'

const words = (error: unknown) => outcomeOfFault(readFault(error), 'ada@example.com')

test('a machine without credentials says so', () => {
  const error = Object.assign(new Error('Could not load credentials from any providers'), {
    name: 'CredentialsProviderError',
  })
  expect(words(error)).toEqual({
    outcome: 'deferred',
    response: 'no credentials for SES were found on this machine',
  })
})

test('whatever else is thrown is an answer that nobody gave', () => {
  expect(words(new TypeError('x is not a function'))).toEqual({
    outcome: 'deferred',
    response: 'no answer from SES: TypeError',
  })
  expect(words('nonsense')).toEqual({ outcome: 'deferred', response: 'no answer from SES: Error' })
})

test('foreign words are one line of bounded length', () => {
  const error = Object.assign(new Error(`a\r\n\tb${'x'.repeat(5_000)}`), {
    name: 'MessageRejected',
    $metadata: { httpStatusCode: 400 },
  })
  const { response } = words(error)
  expect(response).toStartWith('400 MessageRejected: a bxxx')
  expect(response).toHaveLength(1_000)
})
