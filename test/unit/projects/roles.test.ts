// The rights table, cell by cell: a right that is added without a row here fails.
import { expect, test } from 'bun:test'
import { AppError } from '../../../src/lib/errors'
import {
  allRights,
  may,
  mayChangeMember,
  type Right,
  type Role,
  requireRight,
} from '../../../src/modules/accounts/projects/roles'

/** OWNER, ADMIN, MEMBER. */
const expected: Record<Right, [boolean, boolean, boolean]> = {
  'project.read': [true, true, true],
  'content.write': [true, true, true],
  'domains.check': [true, true, true],
  'project.settings': [true, true, false],
  'project.reset': [true, true, false],
  'project.delete': [true, true, false],
  'secrets.read': [true, true, false],
  'secrets.rotate': [true, true, false],
  'domains.manage': [true, true, false],
  'members.manage': [true, true, false],
  'billing.manage': [true, true, false],
  'audit.read': [true, true, false],
  'secondFactor.require': [true, false, false],
}
const roles: Role[] = ['OWNER', 'ADMIN', 'MEMBER']

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
] as const)('%s changing %s', (actor, target, allowed) => {
  expect(mayChangeMember(actor, target)).toBe(allowed)
})
