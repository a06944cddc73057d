// The domain routes: claim, list, prove and drop sender domains.

import { Elysia } from 'elysia'
import type { Context } from '../../../platform/context'
import { projectAccess, projectActor } from '../../accounts/projects'
import {
  addAnswer,
  addBody,
  deleteAnswer,
  domainList,
  healthAnswer,
  idParams,
  keysAnswer,
  projectParams,
  signerBody,
  verifyAnswer,
} from './model'
import {
  addDomain,
  cancelRotation,
  chooseSigner,
  deleteDomain,
  healthOfDomain,
  listDomains,
  putWarmUp,
  rotateKey,
  showWarmUp,
  signingKeys,
  stopWarmUp,
  verifyDomain,
} from './service'
import { warmUpAnswer, warmUpBody } from './warm-up-model'

export function domainRoutes(ctx: Context) {
  return new Elysia({ name: 'domains', prefix: '/domains', detail: { tags: ['Domains'] } })
    .use(projectAccess(ctx))
    .get('/', ({ access }) => listDomains(ctx, access.project.id), {
      scope: 'read',
      response: domainList,
      detail: {
        summary: 'All domains of the project, verified and pending',
        description:
          'Newest first, each with the state of its DNS records as last seen. `GET /domains/{id}/verify` checks them again.',
        addition: true,
      },
    })
    .get(
      '/project/:projectId',
      ({ access, params }) => listDomains(ctx, access.project.id, params.projectId),
      {
        scope: 'read',
        params: projectParams,
        response: domainList,
        detail: {
          summary: 'Domains of the project, verified and pending',
          description: "The same list as `GET /domains`. Any project but one's own is 404.",
        },
      },
    )
    .post(
      '/',
      async ({ access, body, set }) => {
        const domain = await addDomain(ctx, projectActor(access), body)
        set.status = 201
        return { ...domain, project: { name: access.project.name } }
      },
      {
        right: 'domains.manage',
        body: addBody,
        response: { 201: addAnswer },
        detail: {
          summary: 'Add a domain; answers the DNS records to create',
          description:
            'It is pending until its DKIM record is found; the DNS is checked every few minutes. Other projects may add the same name: the first to prove it holds it. 400 where the project has it already.',
          errors: [404],
        },
      },
    )
    .get('/:id/verify', ({ access, params }) => verifyDomain(ctx, access.project.id, params.id), {
      scope: 'read',
      params: idParams,
      response: verifyAnswer,
      detail: {
        summary: 'Check the DNS records now',
        description:
          'Stores what it finds, and puts a new signing key into use if its record is there. 403 where another project has proved the name already. If a name server does not answer, nothing changes.',
      },
    })
    .get('/:id/health', ({ access, params }) => healthOfDomain(ctx, access.project.id, params.id), {
      scope: 'read',
      params: idParams,
      response: healthAnswer,
      detail: {
        summary: 'What receivers make of its mail: SPF, DKIM, DMARC and reverse DNS, and what to publish',
        description: 'Asks the DNS now, and writes nothing. A domain of the sandbox has no findings.',
        addition: true,
      },
    })
    .get('/:id/dkim', ({ access, params }) => signingKeys(ctx, access.project.id, params.id), {
      scope: 'read',
      params: idParams,
      response: keysAnswer,
      detail: {
        summary: 'The key that signs, the one that waits for its record, and the one before',
        description:
          '`next` is there during a rotation until its record is found; `previous` says from when on its record may be removed from the DNS.',
        addition: true,
      },
    })
    .put(
      '/:id/dkim',
      ({ access, params, body }) => chooseSigner(ctx, projectActor(access), params.id, body.signedBy),
      {
        right: 'domains.manage',
        params: idParams,
        body: signerBody,
        response: keysAnswer,
        detail: {
          summary: 'Choose who signs mail from the domain: Waxwing or the relay',
          description:
            'For a relay that signs with a key of its own. Keep the DNS record of the current key: it still proves that the domain is yours.',
          addition: true,
          errors: [409],
        },
      },
    )
    .post('/:id/dkim/rotate', ({ access, params }) => rotateKey(ctx, projectActor(access), params.id), {
      right: 'domains.manage',
      params: idParams,
      response: keysAnswer,
      detail: {
        summary: 'Make a new signing key; answers its record',
        description:
          'The new key signs as soon as its record is found in the DNS; until then the old one does. Asked again, it answers the key that waits.',
        addition: true,
        errors: [409],
      },
    })
    .delete(
      '/:id/dkim/rotate',
      ({ access, params }) => cancelRotation(ctx, projectActor(access), params.id),
      {
        right: 'domains.manage',
        params: idParams,
        response: keysAnswer,
        detail: {
          summary: 'Give up the key that waits',
          description: 'The current key goes on signing. If no key is waiting, nothing happens.',
          addition: true,
        },
      },
    )
    .get('/:id/warm-up', ({ access, params }) => showWarmUp(ctx, access.project.id, params.id), {
      scope: 'read',
      params: idParams,
      response: warmUpAnswer,
      detail: {
        summary: 'The plan by which the domain becomes known to receivers, and its days',
        description:
          '`plan` is null for a domain that never had one. Its `days` are the newest ones, in UTC, each with how much was allowed and how much was sent.',
        addition: true,
      },
    })
    .put(
      '/:id/warm-up',
      ({ access, params, body }) => putWarmUp(ctx, projectActor(access), params.id, body),
      {
        right: 'domains.manage',
        params: idParams,
        body: warmUpBody,
        response: warmUpAnswer,
        detail: {
          summary: 'Start a warm-up plan, or change it',
          description:
            'Marketing mail beyond the number of a day waits for the next; transactional mail is counted and never waits. Days are those of UTC.',
          addition: true,
        },
      },
    )
    .delete('/:id/warm-up', ({ access, params }) => stopWarmUp(ctx, projectActor(access), params.id), {
      right: 'domains.manage',
      params: idParams,
      response: warmUpAnswer,
      detail: {
        summary: 'Give up the warm-up plan: everything may leave',
        description:
          'Messages of a campaign that are waiting leave within twenty minutes, other mail on the day that it was put off to.',
        addition: true,
      },
    })
    .delete(
      '/:id',
      async ({ access, params }) => {
        await deleteDomain(ctx, projectActor(access), params.id)
        return { success: true }
      },
      {
        right: 'domains.manage',
        params: idParams,
        response: deleteAnswer,
        detail: {
          errors: [409],
          summary: 'Remove a domain that no template sends from',
          description:
            'Nothing can be sent from it any more. 409 while a template or an unfinished campaign has a sender of this domain.',
        },
      },
    )
}
