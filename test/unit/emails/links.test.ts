import { describe, expect, test } from 'bun:test'
import { linkToken, listLinks, projectOfToken } from '../../../src/modules/emails/links'
import { makeVault } from '../../../src/platform/vault'
import { testRandom } from '../../support/context'

const vault = makeVault({ encryptionKey: 'e'.repeat(32), jwtSecret: 'j'.repeat(32) }, testRandom)
const recipient = {
  projectId: '01a1fca5-5ee4-77cc-857f-669226ef606c',
  contactId: '01a1fca5-5f4a-747a-92af-11155bd953f2',
}
const other = '01a1fca5-5f4a-747a-92af-000000000000'

describe('links of a recipient', () => {
  test('each leads to a page of the contact and carries token and message', () => {
    const token = linkToken(vault, recipient)
    const links = listLinks(vault, 'https://mail.example', recipient, other)
    expect(links.unsubscribeUrl).toBe(
      `https://mail.example/unsubscribe/${recipient.contactId}?t=${token}&e=${other}`,
    )
    expect(links.subscribeUrl).toStartWith(`https://mail.example/subscribe/${recipient.contactId}?`)
    expect(links.manageUrl).toStartWith(`https://mail.example/manage/${recipient.contactId}?`)
  })

  test('a token names its project', () => {
    expect(projectOfToken(vault, recipient.contactId, linkToken(vault, recipient))).toBe(recipient.projectId)
  })

  const token = linkToken(vault, recipient)
  const refused: Array<[string, string, string]> = [
    ['another contact', other, token],
    [
      'another project in front of the same signature',
      recipient.contactId,
      linkToken(vault, { ...recipient, projectId: other }).slice(0, 22) + token.slice(22),
    ],
    ['a changed signature', recipient.contactId, token.slice(0, -1) + (token.endsWith('A') ? 'B' : 'A')],
    ['a token cut short', recipient.contactId, token.slice(0, 30)],
    ['nothing', recipient.contactId, ''],
    ['characters outside base64url', recipient.contactId, '!'.repeat(44)],
  ]
  test.each(refused)('%s is refused', (_, contactId, text) => {
    expect(projectOfToken(vault, contactId, text)).toBeUndefined()
  })
})
