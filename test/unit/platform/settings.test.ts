// The built-in server's settings: sized for the machine within bounds, and durable unless asked otherwise.
import { describe, expect, test } from 'bun:test'
import { serverSettings } from '../../../src/platform/db/settings'

const gigabyte = 1024 ** 3

describe('memory follows the machine', () => {
  const rows = [
    { name: 'a tiny container', memory: gigabyte / 8, buffers: '32MB', work: '4MB', maintenance: '16MB' },
    { name: 'a small server', memory: 4 * gigabyte, buffers: '512MB', work: '13MB', maintenance: '128MB' },
    { name: 'a large server', memory: 256 * gigabyte, buffers: '1024MB', work: '32MB', maintenance: '256MB' },
  ]
  for (const row of rows)
    test(row.name, () => {
      const settings = serverSettings({ memoryBytes: row.memory }, { maxConnections: 40, durable: true })
      expect(settings).toMatchObject({
        shared_buffers: row.buffers,
        work_mem: row.work,
        maintenance_work_mem: row.maintenance,
        max_connections: '45',
      })
    })
})

test('every safeguard is on unless the cluster is a throw-away one', () => {
  const machine = { memoryBytes: gigabyte }
  const safeguards = ['fsync', 'synchronous_commit', 'full_page_writes']
  for (const durable of [true, false]) {
    const settings = serverSettings(machine, { maxConnections: 10, durable })
    expect(safeguards.map(name => settings[name])).toEqual(safeguards.map(() => (durable ? 'on' : 'off')))
    expect(settings.listen_addresses).toBe('')
  }
})

test('a small shared memory file system, as containers have it, is not used', () => {
  const options = { maxConnections: 10, durable: true }
  const typeFor = (megabytes: number | undefined) =>
    serverSettings(
      { memoryBytes: gigabyte, sharedMemoryBytes: megabytes && megabytes * 1024 * 1024 },
      options,
    ).dynamic_shared_memory_type
  expect([typeFor(64), typeFor(1024), typeFor(undefined)]).toEqual(['sysv', 'posix', 'posix'])
})

test('given settings win over all others', () => {
  const overrides = { fsync: 'off', jit: 'on' }
  const settings = serverSettings({ memoryBytes: gigabyte }, { maxConnections: 10, durable: true, overrides })
  expect(settings).toMatchObject(overrides)
})
