// Whatever is sent, and however, arrives whole: read without a defect and alike by three parsers of other people, with a signature that two
// verifiers accept. MESSAGES=500 SEED=2 sends more of them, made from another seed.
import { beforeAll, describe, expect, test } from 'bun:test'
import { counterpart } from '../support/counterpart'
import { faultsOf, pythonMissing } from '../support/every-message/readers'
import { type Outcome, sendEveryMessage } from '../support/every-message/send'

const count = Number(process.env['MESSAGES'] ?? 80)
const seed = Number(process.env['SEED'] ?? 1)

describe.skipIf(!counterpart('python3-dkim', pythonMissing === undefined))('messages', () => {
  let outcome: Outcome
  beforeAll(async () => {
    outcome = await sendEveryMessage(count, seed)
  }, 600_000)

  test('arrive whole, all of them', () => {
    expect(outcome.faults).toEqual([])
    expect(outcome.arrived.length).toBeGreaterThanOrEqual(count)
  })

  const spoiled: Array<[name: string, spoil: (raw: string) => string, seenBy: RegExp]> = [
    ['another byte', raw => raw.replace(/(\r\n\r\n[\s\S]*\r\n)(\w)/, '$1_'), /mailauth[\s\S]*dkimpy/],
    [
      'another name',
      raw => raw.replace(/^To: /m, 'To: Eve '),
      /mailparser[\s\S]*postal-mime[\s\S]*Python reads/,
    ],
    ['half a line end', raw => raw.replace(/\r\n\r\n$|\r\n$/, '\n'), /line end/],
    ['a long line', raw => `${raw}${'a'.repeat(999)}\r\n`, /too long/],
    ['no last boundary', raw => raw.replace(/\r\n--[^\r]*--\r\n[\s\S]*$/, '\r\n'), /Python finds/],
    ['a second Subject', raw => `Subject: b\r\n${raw}`, /not one Subject/],
    ['no file', raw => raw.replace(/\b(?:file)?name(?=[*=])/g, 'x'), /misses the file/],
  ]
  test('that are spoiled on the way are found', async () => {
    const { arrived, keys } = outcome
    const whole = arrived.find(
      ({ expected }) => expected.files?.length && /^\w+$/.test(expected.toName ?? ''),
    )
    const faults = await faultsOf(
      spoiled.map(([what, spoil]) => ({
        raw: Buffer.from(spoil(whole!.raw.toString('latin1')), 'latin1'),
        expected: { ...whole!.expected, what },
      })),
      keys,
    )
    for (const [what, , seenBy] of spoiled)
      expect(faults.filter(fault => fault.startsWith(what)).join('\n')).toMatch(seenBy)
  })
})
