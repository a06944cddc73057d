// An outcome is written until the database has taken it: the message has left, and to forget that would send it again.
import { describe, expect, test } from 'bun:test'
import type { EmailSettlement } from '../../../src/modules/sending/emails/events'
import { settlePersistently } from '../../../src/modules/sending/emails/service/settle'

const settlement = { outcome: { providerId: 'p1' } } as EmailSettlement

/** Fails with these errors, one after the other, and then succeeds; keeps what it was given. */
function failing(...errors: object[]) {
  const given: EmailSettlement[] = []
  const settle = async (one: EmailSettlement): Promise<boolean> => {
    given.push(one)
    const error = errors.shift()
    if (error) throw error
    return true
  }
  return { settle, given }
}

describe('writing an outcome', () => {
  for (const [name, error] of [
    ['the connection is lost', { code: 'CONNECTION_CLOSED' }],
    ['the database is out of room', { code: '53100' }],
    ['something unknown happens', new Error('?')],
  ] as const)
    test(`is tried again when ${name}`, async () => {
      const { settle, given } = failing(error)
      await settlePersistently(settle, settlement)
      expect(given).toEqual([settlement, settlement])
    })

  test('goes on without a provider id that another message has', async () => {
    const { settle, given } = failing({ code: '23505', constraint_name: 'emails_provider_id' })
    await settlePersistently(settle, settlement)
    expect(given.map(one => one.outcome.providerId)).toEqual(['p1', null])
  })

  test('is given up at once when the statement itself is refused', async () => {
    const { settle, given } = failing({ code: '22P05' })
    await expect(settlePersistently(settle, settlement)).rejects.toEqual({ code: '22P05' })
    expect(given).toHaveLength(1)
  })
})
