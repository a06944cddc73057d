// The outbox writes whole files, one a message, and says so when it can't.
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FinishedMessage } from '../../../src/mail/message'
import { outboxTransport } from '../../../src/platform/transports/outbox'

let dataDir: string
const folder = () => join(dataDir, 'outbox')

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'waxwing-outbox-'))
})
afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

function message(id: string, text: string): FinishedMessage {
  return { id, envelope: { from: 'a@x.test', to: 'b@y.test' }, raw: Buffer.from(text) }
}

describe('outbox', () => {
  test('writes the very bytes under the id and counts them as delivered', async () => {
    const raw = new Uint8Array([0, 13, 10, 46, 13, 10, 255, 254])
    const result = await outboxTransport({ directory: folder() }).send({ ...message('m1', ''), raw })
    expect(result).toMatchObject({ outcome: 'accepted', delivered: true })
    expect(new Uint8Array(readFileSync(join(folder(), 'm1.eml')))).toEqual(raw)
    expect(statSync(join(folder(), 'm1.eml')).mode & 0o777).toBe(0o600)
  })

  test('a retry of the same id leaves one file with the newer bytes', async () => {
    const outbox = outboxTransport({ directory: folder() })
    await outbox.send(message('m1', 'a longer first try'))
    await outbox.send(message('m1', 'second'))
    expect(readdirSync(folder())).toEqual(['m1.eml'])
    expect(readFileSync(join(folder(), 'm1.eml'), 'utf8')).toBe('second')
  })

  test('many at once all arrive, and names sort in the order of their ids', async () => {
    const outbox = outboxTransport({ directory: folder() })
    const ids = Array.from({ length: 100 }, (_, n) => Bun.randomUUIDv7('hex', 1_700_000_000_000 + n))
    const results = await Promise.all(ids.toReversed().map(id => outbox.send(message(id, id))))
    expect(results.every(result => result.outcome === 'accepted')).toBe(true)
    expect(readdirSync(folder()).sort()).toEqual(ids.map(id => `${id}.eml`))
  })

  test('the same id twice at the same time leaves one whole file', async () => {
    const outbox = outboxTransport({ directory: folder() })
    await Promise.all([
      outbox.send(message('m', 'x'.repeat(500_000))),
      outbox.send(message('m', 'y'.repeat(400_000))),
    ])
    expect(readdirSync(folder())).toEqual(['m.eml'])
    expect(readFileSync(join(folder(), 'm.eml'), 'utf8')).toMatch(/^(x{500000}|y{400000})$/)
  })

  test('drafts of a killed process are removed, finished files stay', async () => {
    mkdirSync(folder())
    writeFileSync(join(folder(), '.old.1.1.tmp'), 'half')
    writeFileSync(join(folder(), 'old.eml'), 'whole')
    await outboxTransport({ directory: folder() }).send(message('new', 'n'))
    expect(readdirSync(folder()).sort()).toEqual(['new.eml', 'old.eml'])
  })

  for (const id of ['../escape', 'a/b', '', '.', 'a\0b', 'x'.repeat(101)]) {
    test(`the id ${JSON.stringify(id.slice(0, 12))} never becomes a path`, async () => {
      const result = await outboxTransport({ directory: folder() }).send(message(id, 'x'))
      expect(result).toMatchObject({ outcome: 'refused', blame: 'other' })
      expect(existsSync(folder())).toBe(false)
    })
  }

  test('a folder that cannot be made defers, and the next try works once it can', async () => {
    writeFileSync(join(dataDir, 'outbox'), 'a file is in the way')
    const outbox = outboxTransport({ directory: folder() })
    expect(await outbox.send(message('m1', 'x'))).toMatchObject({ outcome: 'deferred' })
    await expect(outbox.verify()).rejects.toThrow('cannot write to')
    rmSync(join(dataDir, 'outbox'))
    expect(await outbox.send(message('m1', 'x'))).toMatchObject({ outcome: 'accepted' })
    expect(await outbox.verify()).toContain(folder())
  })

  test('a message whose name is taken by a folder is deferred and leaves no draft', async () => {
    mkdirSync(join(folder(), 'm1.eml'), { recursive: true })
    chmodSync(folder(), 0o700)
    expect(await outboxTransport({ directory: folder() }).send(message('m1', 'x'))).toMatchObject({
      outcome: 'deferred',
    })
    expect(readdirSync(folder())).toEqual(['m1.eml'])
  })
})
