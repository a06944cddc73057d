// What a unit of Type=notify waits for. The other end is a datagram socket of another program, as systemd's is.
import { expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { notifyServiceManager } from '../../../src/platform/readiness'
import { installed } from '../../support/counterpart'

const receiver = `
import socket, sys
s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
s.bind(sys.argv[1].replace('@', '\\0'))
print('bound', flush=True)
print(s.recv(100).decode(), flush=True)
`

async function received(address: string): Promise<string> {
  const child = Bun.spawn(['python3', '-c', receiver, address], { stdout: 'pipe' })
  let said = ''
  for await (const part of child.stdout.pipeThrough(new TextDecoderStream())) {
    // A line may arrive in pieces.
    const wasBound = said.includes('bound\n')
    said += part
    if (!wasBound && said.includes('bound\n')) expect(notifyServiceManager(address, 'READY=1')).toBe(true)
  }
  return said.replace('bound', '').trim()
}

test.skipIf(process.platform !== 'linux' || !installed('python3'))(
  'the state reaches the socket of the service manager, by path and by abstract name',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'waxwing-notify-'))
    try {
      expect(await received(join(folder, 'notify'))).toBe('READY=1')
      expect(await received(`@waxwing-notify-${process.pid}`)).toBe('READY=1')
    } finally {
      rmSync(folder, { recursive: true })
    }
  },
)

test('nothing is sent where nobody waits', () => {
  expect(notifyServiceManager(undefined, 'READY=1')).toBe(false)
  expect(notifyServiceManager('/nowhere/at/all', 'READY=1')).toBe(false)
  expect(notifyServiceManager('relative', 'READY=1')).toBe(false)
})
