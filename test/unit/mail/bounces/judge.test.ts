// What a refusal means, by the words that servers use; each line is one of a known server or provider.
import { expect, test } from 'bun:test'
import { judge, type Meaning, type RefusedCommand } from '../../../../src/mail/bounces'

type Case = [words: string, status?: string, at?: RefusedCommand['at']]

const cases: Record<Meaning, Case[]> = {
  refused: [
    [
      '550 "JunkMail rejected - mail.acme.example [203.0.113.5]:43210 is in an RBL: see the list"',
      undefined,
      'rcpt',
    ],
    ['550 Sender verify failed', undefined, 'rcpt'],
    ['550-Verification failed for <hello@acme.example> 550 Sender verify failed', '5.0.0'],
    ['550 SPF: 203.0.113.5 is not allowed to send for acme.example', '5.0.0'],
    ['550 Access denied - Invalid HELO name (See RFC2821 4.1.1.1)'],
    ['550 Blocked - see https://www.spamhaus.org/query/ip/203.0.113.5'],
    ['550 This message was classified as SPAM and may not be delivered'],
    ['550 Virus Detected; Content Rejected', '5.0.0'],
    ['550 Denied by policy', '5.0.0', 'rcpt'],
    ['550 Message rejected as spam', '5.0.0'],
    ['550 SPF check failed', '5.0.0'],
    ['550 Ip frequency limited [aBcD1234. IP: 203.0.113.5]. http://service.mail.qq.example/help', '5.0.0'],
    ['550 DMARC check failed. [aBcD IP: 203.0.113.5]', '5.0.0'],
    ['550 Mail content denied. http://service.mail.qq.example', '5.0.0'],
    ['550 DT:SPM 163 smtp3,DdGowACnzXwx,1533636021', '5.0.0'],
    ['550 5.1.0 <news@acme.example> sender rejected. Please see the page', '5.1.0'],
    ['550 5.1.0 192.0.2.222 is not allowed to send from <acme.example> per its SPF Record', '5.1.0'],
    ['550 5.7.1 IP address blacklisted by recipient', '5.1.1'],
    [
      '550 5.1.1 <ada@acme.example> - 203.0.113.222 has sent to too many recipients this hour. IB607',
      '5.1.1',
    ],
    [
      '550-5.2.1 The user you are trying to contact is receiving mail at a rate that prevents additional messages',
      '5.2.1',
    ],
    ['550 Unauthenticated senders not allowed', '5.0.0', 'mail'],
    ['550 relay not permitted', undefined, 'rcpt'],
    ['554 5.7.1 <ada@acme.example>: Relay access denied', '5.7.1', 'rcpt'],
    [
      '554 5.7.1 Service unavailable; Client host [203.0.113.5] blocked using zen.spamhaus.org',
      '5.7.1',
      'rcpt',
    ],
    ['550 5.7.26 This mail has been blocked because the sender is unauthenticated', '5.7.26'],
    ['421 4.7.0 [TSS04] Messages from 203.0.113.5 temporarily deferred due to unexpected volume', '4.7.0'],
    ['554 5.7.9 Message not accepted for policy reasons', '5.7.9'],
    ['552 5.3.4 Message size exceeds fixed limit', '5.3.4'],
    ['550 User unknown', undefined, 'mail'],
    ['550 5.1.1 nobody', '5.1.1', 'hello'],
  ],
  dead: [
    [
      '550 5.4.1 Recipient address rejected: Access denied. [AB1.eur05.prod.protection.outlook.com]',
      '5.4.1',
      'rcpt',
    ],
    ['550 5.5.0 Requested action not taken: mailbox unavailable (S2017062302)', '5.5.0', 'rcpt'],
    ['552 1 Requested mail action aborted, mailbox not found', undefined, 'data'],
    [
      "554 delivery error: dd This user doesn't have a yahoo.com account (ada@yahoo.com) [0]",
      '5.0.0',
      'data',
    ],
    ['554 Sorry, no mailbox here by that name. (#5.1.1)', undefined, 'data'],
    ['550 5.5.0 Adresse destinataire invalide. Invalid recipient. OFR_416 [416]', '5.5.0', 'rcpt'],
    [
      'Host or domain name not found. Name service error for name=acme.example type=A: Host not found',
      '5.4.4',
    ],
    ['550 "Unknown User"', '5.0.0'],
    ['550 No such user here', undefined, 'rcpt'],
    ['550 5.1.0 Address rejected ada@acme.example', '5.1.0', 'rcpt'],
    [
      '550 5.7.1 <ada@acme.example>: Recipient address rejected: User unknown in local recipient table',
      '5.7.1',
    ],
    [
      '550-5.1.1 The email account that you tried to reach does not exist. Please try double-checking',
      '5.1.1',
    ],
    ['550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found by SMTP address lookup', '5.1.10'],
    ['551 not our customer', undefined, 'rcpt'],
    ['550 5.1.1', '5.1.1', 'rcpt'],
    ['550 5.2.1 mailbox', '5.2.1', 'rcpt'],
    ['550 5.1.2 Bad', '5.1.2', 'rcpt'],
    ['556 5.1.10 Recipient address has null MX', '5.1.10', 'rcpt'],
    ['550 5.1.1 no-spam@acme.example: User unknown at relay.spf.example', '5.1.1', 'rcpt'],
    ['Unrouteable address'],
    ['553 sorry, this recipient is not in my validrcptto list (#5.7.1)', '5.7.1', 'rcpt'],
    ['550 <ada@ezweb.ne.jp>: User unknown'],
    ['mail.local: unknown name: ada', '5.5.0'],
    ['550 no one at this address', undefined, 'rcpt'],
    ...[
      "L'utilisateur n'existe pas",
      'Usuario no encontrado',
      'Destinatário desconhecido',
      'Utente inesistente',
      'Postfach nicht gefunden',
      'Gebruiker onbekend',
      'Okänd mottagare',
      'Tuntematon vastaanottaja',
      'Użytkownik nie istnieje',
      'Ismeretlen felhasználó',
      'Несуществующий пользователь',
      'Alıcı bulunamadı',
      '宛先不明',
      '没有此用户',
      '사용자를 찾을 수 없습니다',
    ].map((words): Case => [`550 ${words}`, undefined, 'rcpt']),
  ],
  full: [
    ['552 5.2.2 Over quota', '5.1.1'],
    ['550 5.2.2 <ada@acme.example>... Mailbox Full', '5.2.2', 'rcpt'],
    ['552 sorry, mailbox ada@acme.example is over quota temporarily', '5.1.1'],
    ["452-4.2.2 The recipient's inbox is out of storage space", '4.2.2', 'rcpt'],
  ],
  unknown: [
    ['550 rejected', undefined, 'rcpt'],
    ['550 5.0.0 no', '5.0.0', 'rcpt'],
    ['554 Transaction failed', undefined, 'data'],
    ['550-5.2.1 The email account that you tried to reach is disabled.', '5.2.1', 'rcpt'],
    ['525 5.7.13 <ada@acme.example>: Recipient address rejected: User account disabled', '5.7.13', 'rcpt'],
    ['550 : User unknown', '5.0.0', 'data'],
    ['550 User unknown', undefined, 'data'],
    ['550 5.2.1 <ada@acme.example>... User Unknown', '5.2.1', 'data'],
    ['550 5.2.1 <ada@acme.example>... User Unknown', '5.2.1'],
    ['The email account that you tried to reach does not exist.', '5.0.0'],
    ['553 sorry, your envelope recipient is in my badrcptto list (#5.7.1)', '5.7.1', 'rcpt'],
    ['450 4.1.1 <ada@acme.example>: user unknown', '4.1.1'],
    ['', undefined],
  ],
}

test.each(Object.keys(cases) as Meaning[])('%s', meaning => {
  const others = cases[meaning].map(([words, status, at]) => ({ words, ...judge({ words, status, at }) }))
  expect(others.filter(one => one.meaning !== meaning)).toEqual([])
})

test('no word within an address, a name of a host or a path decides', () => {
  for (const name of ['spam', 'blocked', 'mailbox-full', 'user.unknown'])
    expect(
      judge({ words: `550 5.1.1 <${name}@relay.acme.example> see https://acme.example/policy#spam` }).meaning,
    ).toBe('dead')
})

test('a code of the words outweighs the one of a report', () => {
  expect(judge({ status: '5.1.1', words: '550 5.7.1 no' }).meaning).toBe('refused')
  expect(judge({ status: '5.0.0', words: '550 5.1.1 no' }).meaning).toBe('dead')
})

test('everyday words in a text for people prove nothing, unless it says in reply to what', () => {
  const words = '550 no such user'
  expect(judge({ words, inProse: true }).meaning).toBe('unknown')
  expect(judge({ words, inProse: true, at: 'rcpt' }).meaning).toBe('dead')
  expect(judge({ words: '550 5.1.1 no such user', inProse: true }).meaning).toBe('dead')
  expect(judge({ words }).meaning).toBe('dead')
})

test('what is temporary by its code is said so', () => {
  expect(judge({ status: '4.2.2', words: '452 mailbox full' })).toMatchObject({
    meaning: 'full',
    temporary: true,
  })
  expect(judge({ status: '5.2.2', words: '552 mailbox full' })).toMatchObject({ temporary: false })
})
