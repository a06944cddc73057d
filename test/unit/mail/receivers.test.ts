// Which domains one receiver takes mail for.
import { expect, test } from 'bun:test'
import { operatorOf, receiverOf } from '../../../src/mail/receivers'

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

test.each([
  ['aspmx.l.google.com', 'gmail'],
  ['ALT1.GMAIL-SMTP-IN.L.GOOGLE.COM.', 'gmail'],
  ['acme-com.mail.protection.outlook.com', 'outlook'],
  ['acme-com.a-v1.mx.microsoft', 'outlook'],
  ['mta5.am0.yahoodns.net', 'yahoo'],
  ['mxa-001.pphosted.com', 'pphosted.com'],
  ['mx.example.co.uk', 'example.co.uk'],
  ['localhost', undefined],
  ['192.0.2.1', undefined],
  ['.', undefined],
  ['', undefined],
])('%p is run by %p', (host, operator) => {
  expect(operatorOf(host)).toBe(operator)
})
