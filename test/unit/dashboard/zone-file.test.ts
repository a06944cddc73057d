// The zone file that the dashboard offers: what a name server would read in it.
import { describe, expect, test } from 'bun:test'
import { zoneFile } from '../../../src/dashboard/pages/domains/zone-file'

const rows = [
  {
    what: 'a text is quoted',
    record: { type: 'TXT', name: '_dmarc.a.example', value: 'v=DMARC1; p=none' },
    line: '_dmarc.a.example.\t3600\tIN\tTXT\t"v=DMARC1; p=none"',
  },
  {
    what: 'a long text becomes strings of 255 octets at most',
    record: { type: 'TXT', name: 'k.a.example', value: `${'x'.repeat(255)}y` },
    line: `k.a.example.\t3600\tIN\tTXT\t"${'x'.repeat(255)}" "y"`,
  },
  {
    what: 'quotes and backslashes are escaped',
    record: { type: 'TXT', name: 'a.example', value: 'a"b\\c' },
    line: 'a.example.\t3600\tIN\tTXT\t"a\\"b\\\\c"',
  },
  {
    what: 'a name as value is absolute',
    record: { type: 'CNAME', name: 't._domainkey.a.example', value: 't.dkim.amazonses.com' },
    line: 't._domainkey.a.example.\t3600\tIN\tCNAME\tt.dkim.amazonses.com.',
  },
  {
    what: 'a mail server has its priority before it, 0 too',
    record: { type: 'MX', name: 'a.example', value: 'mx.b.example', priority: 0 },
    line: 'a.example.\t3600\tIN\tMX\t0 mx.b.example.',
  },
] as const

describe('zone file', () => {
  for (const { what, record, line } of rows)
    test(what, () => expect(zoneFile('a.example', [record])).toBe(`; a.example\n${line}\n`))
})
