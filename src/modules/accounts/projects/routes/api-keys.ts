// Keys besides the pair: listing, adding and revoking them.
import { Elysia } from 'elysia'
import type { Context } from '../../../../platform/context'
import { ownProject, projectActor } from '../guard'
import { apiKeyBody, apiKeyList, apiKeyParams, madeKeyAnswer, toApiKey } from '../key-model'
import { idParams } from '../model'
import { createApiKey, listApiKeys, revokeApiKey } from '../service'

export function apiKeysRoutes(ctx: Context) {
  return new Elysia({ prefix: '/projects/:id/api-keys', tags: ['Projects'], detail: { addition: true } })
    .use(ownProject(ctx))
    .get('', async ({ access }) => (await listApiKeys(ctx, projectActor(access))).map(toApiKey), {
      right: 'secrets.read',
      params: idParams,
      response: apiKeyList,
      detail: {
        summary: 'Keys besides the pair, for ADMIN and OWNER',
        description: 'Including those of a pair that was replaced, while they still work.',
      },
    })
    .post(
      '',
      async ({ access, body, status }) => {
        const { row, key } = await createApiKey(ctx, projectActor(access), body)
        return status(201, { ...toApiKey(row), key })
      },
      {
        right: 'secrets.rotate',
        whileSuspended: true,
        params: idParams,
        body: apiKeyBody,
        response: { 201: madeKeyAnswer },
        detail: {
          summary: 'Make a key with a name and scopes; it is returned only this once',
          description:
            'What each operation asks for is given as its `x-waxwing-scopes`. A project has at most 100.',
          errors: [409],
        },
      },
    )
    .delete(
      '/:keyId',
      async ({ access, params, set }) => {
        await revokeApiKey(ctx, projectActor(access), params.keyId.toLowerCase())
        set.status = 204
      },
      {
        right: 'secrets.rotate',
        whileSuspended: true,
        params: apiKeyParams,
        detail: {
          summary: 'Revoke a key; it stops at once',
          description:
            'Every instance refuses it from the moment of the answer. The public and the secret key are replaced by `POST /users/@me/projects/{id}/regenerate-keys` instead.',
        },
      },
    )
}
