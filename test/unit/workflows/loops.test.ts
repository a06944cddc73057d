// Which definitions set each other off without end.
import { expect, test } from 'bun:test'
import { type Link, loopThrough, loopWarning } from '../../../src/modules/features/workflows/definition/loops'

const link = (id: string, trigger: string, does: string): Link => ({
  ...{ id, name: id.toUpperCase(), trigger },
  sends: does.includes('mail'),
  subscribes: does.includes('on'),
  unsubscribes: does.includes('off'),
})

const rows: Array<[what: string, links: Link[], loop: string]> = [
  ['mail that answers its own delivery', [link('a', 'email.delivery', 'mail')], 'a'],
  ['mail that answers its own bounce', [link('a', 'email.bounce', 'mail')], 'a'],
  ['mail that answers an open', [link('a', 'email.open', 'mail')], ''],
  ['nothing done', [link('a', 'email.sent', '')], ''],
  ['the same state again', [link('a', 'contact.subscribed', 'on')], ''],
  ['out and in again', [link('a', 'contact.subscribed', 'on off')], 'a'],
  [
    'two that undo each other',
    [link('a', 'contact.subscribed', 'off'), link('b', 'contact.unsubscribed', 'on')],
    'a b',
  ],
  [
    'the shortest of two ways',
    [
      link('a', 'email.sent', 'off'),
      link('b', 'contact.unsubscribed', 'on'),
      link('c', 'contact.subscribed', 'mail'),
      link('d', 'contact.unsubscribed', 'mail'),
    ],
    'a d',
  ],
  [
    'a loop of others, which it only begins',
    [
      link('a', 'email.sent', 'off'),
      link('b', 'contact.unsubscribed', 'on'),
      link('c', 'contact.subscribed', 'off'),
    ],
    '',
  ],
]

for (const [what, links, loop] of rows)
  test(`${what}: ${loop || 'no loop'}`, () => {
    const found = loopThrough(links[0]!, links)
    expect(found.map(({ id }) => id).join(' ')).toBe(loop)
    expect(loopWarning(found)).toHaveLength(loop ? 1 : 0)
  })
