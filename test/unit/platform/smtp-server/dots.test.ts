// The bytes of a message, however they are cut into pieces: what is read is what the library's own parser reads.
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { SMTPStream } from 'smtp-server/lib/smtp-stream.js'
import type { CpuThrottle } from '../../../../src/lib/cpu-throttle'
import { feedMessage } from '../../../../src/platform/smtp-server/dots'

/** The message, and the commands behind it. */
async function read(
  pieces: readonly string[],
  isOurs: boolean,
  throttle: CpuThrottle = async work => work(),
): Promise<[string, string[]]> {
  const parser = new SMTPStream()
  const commands: string[] = []
  parser.oncommand = (command, next) => {
    commands.push(command.toString('latin1'))
    next?.()
  }
  if (isOurs) {
    const begin = parser._feedDataStream
    parser._feedDataStream = (chunk, done) => {
      if (parser._atDataStart) begin.call(parser, chunk, done)
      else feedMessage(parser, chunk, throttle, done)
    }
  }
  let message = ''
  const stream = parser.startDataMode(1_000_000)
  stream.on('data', (chunk: Buffer) => {
    message += chunk.toString('latin1')
  })
  stream.on('end', () => parser.continue())
  for (const piece of pieces)
    await new Promise<void>(resolve => parser.write(Buffer.from(piece, 'latin1'), () => resolve()))
  return [message, commands]
}

const piece = fc.array(fc.constantFrom('.', '.', '..', '\r\n', '\r\n', '\r', '\n', '.\r\n', 'a', 'NOOP'), {
  maxLength: 8,
})

test('is the same for both', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { minLength: 1, maxLength: 8 }), async drawn => {
      const pieces = drawn.map(words => words.join('')).filter(text => text !== '')
      // Whatever came before, the message has an end.
      const all = [...pieces, '\r\n.\r\nQUIT\r\n']
      expect(await read(all, true)).toEqual(await read(all, false))
    }),
    { numRuns: 2_000 },
  )
})

test('a long message is read in pieces between which others have their turn, and the commands behind it are read', async () => {
  let turns = 0
  const throttle: CpuThrottle = async work => {
    turns++
    await Bun.sleep(0)
    return work()
  }
  // Dots at every offset from the end of a piece.
  const lines = Array.from({ length: 3_000 }, (_, at) => `..${'a'.repeat(at % 97)}.\r\n`).join('')
  const all = ['x\r\n', `${lines.repeat(4)}.\r\nNOOP\r\n${'NOOP\r\n'.repeat(10)}`]
  const [message, commands] = await read(all, true, throttle)
  expect(message).toBe(`x\r\n${lines.repeat(4).replaceAll(/^\.\./gm, '.')}`)
  expect(commands).toEqual(Array.from({ length: 11 }, () => 'NOOP'))
  expect(turns).toBeGreaterThanOrEqual(all[1]!.length / (64 * 1024) - 4)
})
