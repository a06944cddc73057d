// Names of downloads.
import { describe, expect, test } from 'bun:test'
import { downloadAs } from '../../../src/lib/file-name'

const at = new Date('2026-03-01T23:30:00Z')

describe('a downloaded file is named after what is in it, and the day', () => {
  const cases: Array<[string, string]> = [
    ['Spring sale', 'filename="spring-sale-recipients-2026-03-01.csv"'],
    ['../..\\etc/"x"\r\nSet-Cookie: a=b', 'filename="etc-x-set-cookie-a-b-recipients-2026-03-01.csv"'],
    ['  ', 'filename="recipients-2026-03-01.csv"'],
    [
      'Été – Größe',
      'filename="ete-gro-e-recipients-2026-03-01.csv"; filename*=UTF-8\'\'%C3%A9t%C3%A9-gr%C3%B6%C3%9Fe-recipients-2026-03-01.csv',
    ],
    [
      '春の🌸',
      'filename="recipients-2026-03-01.csv"; filename*=UTF-8\'\'%E6%98%A5%E3%81%AE-recipients-2026-03-01.csv',
    ],
    ['\ud800', 'filename="recipients-2026-03-01.csv"'],
    ['a'.repeat(500), `filename="${'a'.repeat(60)}-recipients-2026-03-01.csv"`],
  ]
  for (const [name, expected] of cases)
    test(JSON.stringify(name.slice(0, 40)), () =>
      expect(downloadAs([name, 'recipients'], at, 'csv')).toBe(`attachment; ${expected}`),
    )
})
