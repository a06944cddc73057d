// What is read of a mailed report that somebody made to hold us up.
import { describe, expect, test } from 'bun:test'
import { readMailedReport } from '../../../src/modules/feedback/delivery-status'

const head = 'From: a@b.example\r\nMIME-Version: 1.0\r\nContent-Type: multipart/report; boundary=b\r\n\r\n'
const status = '--b\r\nContent-Type: message/delivery-status\r\n\r\nAction: failed\r\nStatus: 5.1.1\r\n\r\n'
const read = (text: string) => readMailedReport(Buffer.from(text))

describe('a report with very many parts', () => {
  test('is taken for none, and is not parsed', async () => {
    const many = '--b\r\n\r\n'.repeat(700_000)
    expect(await read(head + status + many)).toEqual({ messageIds: [], reports: [] })
  })

  test('is read up to what real ones have, tables in the returned text included', async () => {
    const table = `--b\r\nContent-Type: text/plain\r\n\r\n${'------+------\r\n'.repeat(5_000)}`
    const found = await read(`${head + status + table}--b--\r\n`)
    expect(found?.reports).toMatchObject([{ kind: 'bounced', blame: 'address' }])
  })
})
