// The second factor of the signed-in user: reading, adding and removing it.
import { Elysia } from 'elysia'
import { clientAddress } from '../../../../http/request-id'
import type { Context } from '../../../../platform/context'
import { session } from '../guard'
import {
  confirmBody,
  enrolBody,
  enrolmentAnswer,
  proofBody,
  recoveryCodesAnswer,
  secondFactorAnswer,
  signedOutAnswer,
  toSecondFactor,
} from '../model'
import {
  confirmEnrolment,
  describeSecondFactor,
  enrol,
  removeSecondFactor,
  renewRecoveryCodes,
} from '../service'

export function secondFactorRoutes(ctx: Context) {
  return new Elysia({ prefix: '/users/@me/second-factor', tags: ['Users'], detail: { addition: true } })
    .use(session(ctx, { unverified: true }))
    .get('', async ({ user }) => toSecondFactor(await describeSecondFactor(ctx, user.id)), {
      response: secondFactorAnswer,
      detail: {
        summary: 'Whether the own account asks for a code',
        description: 'Says how many recovery codes are left, and shows no secret.',
      },
    })
    .post(
      '',
      ({ user, body, request }) => enrol(ctx, user.id, { ...body, clientAddress: clientAddress(request) }),
      {
        body: enrolBody,
        response: enrolmentAnswer,
        detail: {
          summary: 'Begin with a second factor: a secret for an authenticator',
          description:
            'Nothing asks for codes before one is confirmed. Begun anew, the secret before is void.',
          errors: [400, 409],
        },
      },
    )
    .post(
      '/confirm',
      async ({ user, body, request }) => ({
        recoveryCodes: await confirmEnrolment(ctx, user.id, {
          ...body,
          clientAddress: clientAddress(request),
        }),
      }),
      {
        body: confirmBody,
        response: recoveryCodesAnswer,
        detail: {
          summary: 'Put the second factor in force by its first code',
          description:
            'Takes the first code of the secret that `POST /users/@me/second-factor` gave, and returns ten recovery codes, which are shown only this once. 404 where no secret is waiting, 409 where a second factor is in force already.',
          errors: [404, 409],
        },
      },
    )
    .post(
      '/recovery-codes',
      async ({ user, body, request }) => ({
        recoveryCodes: await renewRecoveryCodes(ctx, user.id, {
          ...body,
          clientAddress: clientAddress(request),
        }),
      }),
      {
        body: proofBody,
        response: recoveryCodesAnswer,
        detail: {
          summary: 'Ten new recovery codes in place of all others',
          description:
            'Needs the password and a code. The new codes are shown only this once, and the old ones stop working at once.',
          errors: [400, 404],
        },
      },
    )
    .post(
      '/remove',
      async ({ user, body, request }) => {
        await removeSecondFactor(ctx, user.id, { ...body, clientAddress: clientAddress(request) })
        return { success: true as const }
      },
      {
        body: proofBody,
        response: signedOutAnswer,
        detail: {
          summary: 'Take the second factor off, with password and code',
          description:
            'From then on the password alone opens a session. 409 while a project of the account requires a second factor; the answer names it.',
          errors: [400, 404, 409],
        },
      },
    )
}
