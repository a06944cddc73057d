// `waxwing user create|reset-password|remove-second-factor|list`: accounts for whoever runs the machine. Works alongside a running
// instance. Passwords never pass the command line; a link to choose one is printed instead.

import { normaliseEmail } from '../lib/address'
import {
  createUser,
  listUsers,
  makeResetLink,
  makeToken,
  takeOffSecondFactor,
} from '../modules/accounts/users'
import { systemRandom } from '../server/compose'
import { readArguments, UsageFault } from './arguments'
import { withInstance } from './with-instance'

export async function user(given: string[]): Promise<number> {
  const [action = '', ...rest] = given
  switch (action) {
    case 'create':
      return await create(readArguments(rest, {}, ['EMAIL']).names[0]!)
    case 'reset-password':
      return await resetPassword(readArguments(rest, {}, ['EMAIL']).names[0]!)
    case 'remove-second-factor':
      return await removeFactor(readArguments(rest, {}, ['EMAIL']).names[0]!)
    case 'list':
      readArguments(rest, {})
      return await list()
    default:
      throw new UsageFault(
        action === ''
          ? 'create, reset-password, remove-second-factor or list is missing'
          : `unknown action: ${action}`,
      )
  }
}

async function create(email: string): Promise<number> {
  return await withInstance({ mayBeNew: true }, async ctx => {
    const made = await createUser(ctx, { email, password: makeToken(systemRandom) })
    console.log(`created the account of ${made.email}; choose a password within an hour:`)
    console.log(await makeResetLink(ctx, made.email))
    return 0
  })
}

async function resetPassword(email: string): Promise<number> {
  return await withInstance({ mayBeNew: false }, async ctx => {
    const link = await makeResetLink(ctx, email)
    if (link === undefined)
      throw new Error(`no account with a password has the address ${normaliseEmail(email)}`)
    console.log(link)
    return 0
  })
}

/** For somebody who has lost the authenticator and the recovery codes. The password is asked for as before. */
async function removeFactor(address: string): Promise<number> {
  return await withInstance({ mayBeNew: false }, async ctx => {
    const email = normaliseEmail(address)
    if (!(await takeOffSecondFactor(ctx, email)))
      throw new Error(`no account of ${email} has a second factor`)
    console.log(`${email} signs in with the password alone`)
    return 0
  })
}

/** One line per account: address, how it signs in, whether the address is verified, since when. */
async function list(): Promise<number> {
  return await withInstance({ mayBeNew: false }, async ctx => {
    for await (const { email, type, emailVerified, createdAt } of listUsers(ctx))
      console.log(
        [email, type, emailVerified ? 'verified' : 'unverified', createdAt.toISOString()].join('\t'),
      )
    return 0
  })
}
