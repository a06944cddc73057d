// Which domains one receiver takes mail for.
import { expect, test } from 'bun:test'
import { receiverOf } from '../../../src/platform/mail/receivers'

test.each<[domain: string, receiver: string | undefined]>([
  ['gmail.com', 'gmail'],
  ['googlemail.com', 'gmail'],
  ['outlook.com', 'outlook'],
  ['hotmail.co.uk', 'outlook'],
  ['live.nl', 'outlook'],
  ['msn.com', 'outlook'],
  ['yahoo.de', 'yahoo'],
  ['yahoo.com.br', 'yahoo'],
  ['aol.com', 'yahoo'],
  ['google.com', undefined],
  ['notgmail.com', undefined],
  ['gmail.com.example', undefined],
  ['live.example.com', undefined],
  ['mail.yahoo.example', undefined],
  ['', undefined],
])('%j: %s', (domain, receiver) => {
  expect(receiverOf(domain)).toBe(receiver)
})
