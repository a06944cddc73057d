// The links of a mail: whose they are, and that nobody can make them up.
import { describe, expect, test } from 'bun:test'
import { makeVault } from '../../../src/lib/vault'
import { linkToken, listLinks, projectOfToken } from '../../../src/modules/sending/emails/links'
import { testRandom } from '../../support/context'

const vault = makeVault({ encryptionKey: 'e'.repeat(20), jwtSecret: 'j'.repeat(20) }, testRandom)
const foreign = makeVault({ encryptionKey: 'e'.repeat(20), jwtSecret: 'k'.repeat(20) }, testRandom)
const projectId = '018f4f3e-0000-7000-8000-00000000000a'
const contactId = '018f4f3e-0000-7000-8000-00000000000b'
const other = '018f4f3e-0000-7000-8000-00000000000c'
const emailId = '018f4f3e-0000-7000-8000-00000000000d'
const token = linkToken(vault, { projectId, contactId })

describe('the links of a mail', () => {
  test('name the contact, the message and a token', () => {
    const links = listLinks(vault, 'https://mail.example.com', { projectId, contactId }, emailId)
    for (const [page, url] of [
      ['unsubscribe', links.unsubscribeUrl],
      ['subscribe', links.subscribeUrl],
      ['manage', links.manageUrl],
    ] as const)
      expect(url).toBe(`https://mail.example.com/${page}/${contactId}?t=${token}&e=${emailId}`)
  })

  test('need no escaping, in HTML neither', () => {
    expect(token).toMatch(/^[\w-]{44}$/)
  })
})

describe('a token', () => {
  test('tells the project of the contact it was made for', () => {
    expect(projectOfToken(vault, contactId, token)).toBe(projectId)
  })

  const rows: Array<[string, string, string]> = [
    ['another contact', other, token],
    [
      'another project',
      contactId,
      linkToken(vault, { projectId: other, contactId }).slice(0, 22) + token.slice(22),
    ],
    ['another signature', contactId, `${token.slice(0, -4)}AAAA`],
    ['another instance', contactId, linkToken(foreign, { projectId, contactId })],
    ['nothing', contactId, ''],
    ['a part of it', contactId, token.slice(0, 43)],
    ['more than it', contactId, `${token}A`],
    ['other characters', contactId, `${token.slice(0, -1)}!`],
    ['a line break', contactId, `${token}\n`],
  ]
  for (const [name, contact, text] of rows)
    test(`is not valid for ${name}`, () => {
      expect(projectOfToken(vault, contact, text)).toBeUndefined()
    })
})
