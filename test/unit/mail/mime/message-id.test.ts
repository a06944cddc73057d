// Message-IDs of our own: made in one form, and recognised when they come back.
import { expect, test } from 'bun:test'
import { bareMessageId, emailIdOf, messageIdEnd, messageIdOf } from '../../../../src/mail/mime/message-id'

const id = '019a0000-0000-7000-8000-00000000000a'

test('the id stands before the domain of the sender, as headers need it', () => {
  expect(messageIdOf(id, 'ada@Acme.example')).toBe(`${id}@acme.example`)
  expect(messageIdOf(id, 'ada@bücher.example')).toBe(`${id}@xn--bcher-kva.example`)
  expect(`${id}${messageIdEnd('ada@acme.example')}`).toBe(messageIdOf(id, 'ada@acme.example'))
})

test.each([[`<${id}@acme.example>`], [`${id.toUpperCase()}@acme.example`], [` < ${id}@acme.example > `]])(
  '%j names the message',
  text => {
    expect(emailIdOf(text)).toBe(id)
  },
)

test.each([['<x@acme.example>'], [`${id}`], [`<${id}@>`], ['']])('%j is not ours', text => {
  expect(emailIdOf(text)).toBeUndefined()
})

test('without brackets and blanks', () => {
  expect(bareMessageId(' <a@b.example>\r\n')).toBe('a@b.example')
})
