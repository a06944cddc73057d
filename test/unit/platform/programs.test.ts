// By what the folder of the unpacked PostgreSQL is named.
import { expect, test } from 'bun:test'
import { hashOfBuild } from '../../../src/platform/db/programs'

test('the build has named the archive after its content; in the source it has one name', () => {
  expect(hashOfBuild('/$bunfs/root/linux-x64-19636d73960af987.tar-cb0x1scd.zst')).toBe('cb0x1scd')
  expect(hashOfBuild('/somewhere/waxwing-20261124/.cache/postgres.tar.zst')).toBeUndefined()
})
