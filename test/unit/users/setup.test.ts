// The words printed at the first start.
import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { hashToken, makeToken, setupText } from '../../../src/modules/accounts/users/tokens'
import { testRandom } from '../../support/context'

test('the printed command carries the token in a body that is JSON, the printed address behind its #', () => {
  const token = makeToken(testRandom)
  const text = setupText('https://mail.example.com', token)
  expect(text).toContain('curl -sS -c cookies.txt https://mail.example.com/auth/signup')
  const body = /-d '(.*)'$/m.exec(text)?.[1] ?? ''
  expect(JSON.parse(body)).toMatchObject({ setupToken: token })
  expect(text).toContain(`https://mail.example.com/app/sign-up#${token}`)
})

test('commands for a first mail are printed where mail stays on the machine', () => {
  const commands = (text: string) => text.split('\n').filter(line => line.startsWith('  '))
  expect(commands(setupText('http://localhost:3000', 'x'))).toHaveLength(1)
  const text = setupText('http://localhost:3000', 'x', './data/outbox')
  expect(commands(text)).toHaveLength(3)
  expect(text).toEndWith('a file in ./data/outbox')
})

test('README shows what is printed, but for the token, which a shell on the same machine does not need', () => {
  const printed = setupText('http://localhost:3000', 'x', './data/outbox')
  const commands = printed.split('\n').filter(line => line.startsWith('  '))
  const readme = readFileSync(join(import.meta.dir, '../../../README.md'), 'utf8').replaceAll(' \\\n  ', ' ')
  const shown = readme.split('\n').filter(line => /^(key=\$\()?curl /.test(line))
  expect(shown).toEqual(commands.map(line => line.trim().replace(',"setupToken":"x"', '')))
})

test('what is kept is not the token', () => {
  const token = makeToken(testRandom)
  expect(token).toMatch(/^[0-9a-f]{64}$/)
  expect(hashToken(token)).not.toBe(token)
  expect(hashToken(token)).toBe(hashToken(token))
})
