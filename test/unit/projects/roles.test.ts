// The rights table, cell by cell: a right that is added without a row here fails.
import { expect, test } from 'bun:test'
import type { Declared } from '../../../src/http/route'
import { AppError } from '../../../src/lib/errors'
import {
  allRights,
  may,
  mayChangeMember,
  neededRights,
  type Right,
  type Role,
  requireRight,
} from '../../../src/modules/accounts/projects/roles'

/** OWNER, ADMIN, MEMBER, EDITOR, VIEWER. */
const expected: Record<Right, boolean[]> = {
  'project.read': [true, true, true, true, true],
  'content.write': [true, true, true, true, false],
  'content.send': [true, true, true, false, false],
  'domains.check': [true, true, true, true, true],
  'project.settings': [true, true, false, false, false],
  'project.reset': [true, true, false, false, false],
  'project.delete': [true, true, false, false, false],
  'secrets.read': [true, true, false, false, false],
  'secrets.rotate': [true, true, false, false, false],
  'domains.manage': [true, true, false, false, false],
  'members.manage': [true, true, false, false, false],
  'billing.manage': [true, true, false, false, false],
  'audit.read': [true, true, false, false, false],
  'approval.waive': [true, false, false, false, false],
  'secondFactor.require': [true, false, false, false, false],
}
const roles: Role[] = ['OWNER', 'ADMIN', 'MEMBER', 'EDITOR', 'VIEWER']

test('the table covers every right', () => {
  expect([...allRights].sort()).toEqual((Object.keys(expected) as Right[]).sort())
})

for (const right of Object.keys(expected) as Right[])
  test(`who has ${right}`, () => {
    expect(roles.map(role => may(role, right))).toEqual(expected[right])
  })

test('a missing right is 403 and says which', () => {
  const attempt = () => requireRight('MEMBER', 'domains.manage')
  expect(attempt).toThrow(AppError)
  try {
    attempt()
  } catch (error) {
    expect(error).toMatchObject({ status: 403, code: 'FORBIDDEN', details: { right: 'domains.manage' } })
  }
  expect(() => requireRight('ADMIN', 'domains.manage')).not.toThrow()
})

test.each([
  ['OWNER', 'OWNER', false],
  ['OWNER', 'ADMIN', true],
  ['OWNER', 'MEMBER', true],
  ['ADMIN', 'OWNER', false],
  ['ADMIN', 'ADMIN', true],
  ['ADMIN', 'MEMBER', true],
  ['MEMBER', 'OWNER', false],
  ['MEMBER', 'ADMIN', false],
  ['MEMBER', 'MEMBER', false],
  ['EDITOR', 'VIEWER', false],
  ['VIEWER', 'EDITOR', false],
  ['ADMIN', 'EDITOR', true],
] as const)('%s changing %s', (actor, target, allowed) => {
  expect(mayChangeMember(actor, target)).toBe(allowed)
})

test.each<[string, Declared, Right[]]>([
  ['that reads', { scope: 'read' }, ['project.read']],
  ['that writes', { scope: 'write' }, ['content.write']],
  ['that sends', { scope: ['write', 'send'] }, ['content.write', 'content.send']],
  ['that records events, which start workflows', { scope: 'track' }, ['content.send']],
  ['with a right of its own', { scope: ['write', 'send'], right: 'content.write' }, ['content.write']],
  ['of the secret key, without a right', { scope: 'secretKey' }, ['project.read']],
])('a route %s asks people for it', (_, declared, rights) => {
  expect(neededRights(declared)).toEqual(rights)
})
