// A draft: one that an earlier visit left is offered, and stays until one has chosen, whatever is stored or typed meanwhile; what was sent and
// never answered is not taken for stored.
import { describe, expect, test } from 'bun:test'
import { ApiError } from '../../../src/dashboard/api/error'
import { makeDraft } from '../../../src/dashboard/editor/draft'
import type { DraftKind, Keeping, KeptDraft, Versioned } from '../../../src/dashboard/editor/draft-state'

interface Row extends Versioned {
  words: string
}

function open(words: string, version: number, kept: KeptDraft<string>) {
  const browser: { kept: KeptDraft<string> | undefined } = { kept }
  const keeping: Keeping<string> = {
    read: () => browser.kept,
    write: next => {
      browser.kept = structuredClone(next)
    },
    clear: () => {
      browser.kept = undefined
    },
  }
  const kind: DraftKind<string, Row> = {
    read: row => row.words,
    saved: value => value,
    store: async () => Promise.reject(new Error('nothing is to be stored')),
    load: async () => ({ words, version }),
    remember: () => undefined,
    isLive: async () => false,
  }
  return { draft: makeDraft(() => kind, { words, version }, { keeping, live: false }), browser }
}

const mine = { value: 'mine', version: 1 }

describe('a draft that is offered', () => {
  test('stays when another person stores', () => {
    const { draft, browser } = open('theirs', 2, mine)
    draft.follow({ words: 'newer', version: 3 })
    expect(draft.state()).toMatchObject({ value: 'newer', version: 3, offer: mine })
    expect(browser.kept).toMatchObject(mine)
  })

  test('is kept beside what is typed, and alone again once that is taken back', () => {
    const { draft, browser } = open('theirs', 2, mine)
    draft.change(() => 'typed')
    expect(browser.kept).toMatchObject({ value: 'typed', version: 2, offer: mine })
    draft.undo()
    expect(browser.kept).toMatchObject(mine)
    draft.dropOffer()
    expect(browser.kept).toBeUndefined()
  })

  test('is offered after what was typed beside it, where both were made from other versions', () => {
    const { draft } = open('newest', 4, { value: 'typed', version: 2, offer: mine })
    expect(draft.state().offer).toMatchObject({ value: 'typed', offer: mine })
    draft.dropOffer()
    expect(draft.state().offer).toMatchObject(mine)
    draft.dropOffer()
    expect(draft.state()).toMatchObject({ value: 'newest', offer: undefined, isDirty: false })
  })

  test('refuses what is pressed', async () => {
    const { draft } = open('theirs', 2, mine)
    await expect(draft.store({ isPressed: true })).rejects.toThrow('Restore or discard it first')
  })
})

/** A draft, and a server that stores what it is sent, with answers that may be lost on the way. */
function openOnline() {
  const server = { words: 'first', version: 1, lostAnswers: 0 }
  const kind: DraftKind<string, Row> = {
    read: row => row.words,
    saved: value => value,
    async store(words, { version }) {
      if (version !== server.version) throw new ApiError(409, 'CONFLICT', 'another version')
      Object.assign(server, { words, version: version + 1 })
      if (server.lostAnswers-- > 0) throw new ApiError(0, 'OFFLINE', 'no answer')
      return { stored: { words, version: version + 1 } }
    },
    load: async () => ({ words: server.words, version: server.version }),
    remember: () => undefined,
    isLive: async () => false,
  }
  const keeping: Keeping<string> = { read: () => undefined, write: () => {}, clear: () => {} }
  const draft = makeDraft(() => kind, { words: 'first', version: 1 }, { keeping, live: false })
  return { draft, server }
}

test('a change whose answer was lost, and that is taken back, is taken back on the server as well', async () => {
  const { draft, server } = openOnline()
  server.lostAnswers = 1
  draft.change(() => 'second')
  await draft.store()
  expect(draft.state()).toMatchObject({ isDirty: true, isOffline: true })
  draft.undo()
  expect(draft.state()).toMatchObject({ value: 'first', isDirty: true })
  await draft.store()
  expect(server.words).toBe('first')
  expect(draft.state()).toMatchObject({ value: 'first', version: server.version, isDirty: false })
})
