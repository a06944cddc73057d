// The people of a project and those who are invited. Keys may look and not change: who belongs to a team is decided by its people.

import { Elysia } from 'elysia'
import type { Context } from '../../../../platform/context'
import { ownProject, projectActor } from '../guard'
import {
  addedAnswer,
  addMemberBody,
  changeRoleBody,
  invitationLinkAnswer,
  invitationList,
  invitationParams,
  memberAnswer,
  memberList,
  memberParams,
  removedAnswer,
  toInvitation,
  toMember,
} from '../member-model'
import { idParams } from '../model'
import {
  addMember,
  changeRole,
  listInvitations,
  listMembers,
  removeMember,
  revokeInvitation,
  shareInvitation,
} from '../service'

export function membersRoutes(ctx: Context) {
  return new Elysia({ prefix: '/projects/:id', tags: ['Members'] })
    .use(lookingRoutes(ctx))
    .use(memberChanges(ctx))
    .use(invitationChanges(ctx))
}

function lookingRoutes(ctx: Context) {
  return new Elysia({ tags: ['Members'] })
    .use(ownProject(ctx))
    .get('/members', async ({ access }) => (await listMembers(ctx, projectActor(access))).map(toMember), {
      scope: 'secretKey',
      params: idParams,
      response: memberList,
      detail: {
        summary: 'Members, oldest first',
        description: 'Each with address and role. ADMIN and OWNER also see who has a second factor.',
      },
    })
    .get(
      '/invitations',
      async ({ access }) => (await listInvitations(ctx, projectActor(access))).map(toInvitation),
      {
        right: 'members.manage',
        params: idParams,
        response: invitationList,
        detail: {
          summary: 'Open invitations, for ADMIN and OWNER',
          description: 'Those that have not been accepted yet; each is valid for seven days.',
          addition: true,
        },
      },
    )
}

function memberChanges(ctx: Context) {
  return new Elysia({ tags: ['Members'] })
    .use(ownProject(ctx))
    .post(
      '/members',
      async ({ access, body, status }) => status(201, await addMember(ctx, projectActor(access), body)),
      {
        scope: 'people',
        right: 'members.manage',
        whileSuspended: true,
        params: idParams,
        body: addMemberBody,
        response: { 201: addedAnswer },
        detail: {
          summary: 'Add an account, or invite an address that has none',
          description:
            'Needs a session of an ADMIN or the OWNER. An account with a verified address becomes a member at once; any other address gets a mail, and `pending` is true until its link is followed. 409 for somebody who is a member already.',
          errors: [409],
        },
      },
    )
    .patch(
      '/members/:userId',
      ({ access, params, body }) =>
        changeRole(ctx, projectActor(access), params.userId.toLowerCase(), body.role),
      {
        scope: 'people',
        right: 'members.manage',
        whileSuspended: true,
        params: memberParams,
        body: changeRoleBody,
        response: memberAnswer,
        detail: {
          summary: 'Change the role of a member',
          description:
            "Needs a session of an ADMIN or the OWNER, and takes effect with the member's next request. The OWNER can't be changed (403).",
        },
      },
    )
    .delete(
      '/members/:userId',
      async ({ access, params }) => {
        await removeMember(ctx, projectActor(access), params.userId.toLowerCase())
        return { success: true as const, message: 'The member was removed' }
      },
      {
        scope: 'people',
        whileSuspended: true,
        params: memberParams,
        response: removedAnswer,
        detail: {
          summary: 'Remove a member, or leave the project',
          description:
            "Members may remove themselves; to remove anybody else needs a session of an ADMIN or the OWNER. The OWNER can't be removed (403).",
        },
      },
    )
}

function invitationChanges(ctx: Context) {
  return new Elysia({ tags: ['Members'], detail: { addition: true } })
    .use(ownProject(ctx))
    .get(
      '/invitations/:invitationId/link',
      ({ access, params }) => shareInvitation(ctx, projectActor(access), params.invitationId),
      {
        scope: 'people',
        right: 'members.manage',
        params: invitationParams,
        response: invitationLinkAnswer,
        detail: {
          summary: 'A link of an invitation to hand on',
          description:
            'For ADMIN and OWNER. Whoever follows it makes an account and joins this project. Unlike the link in the mail it does not prove the address.',
        },
      },
    )
    .delete(
      '/invitations/:invitationId',
      async ({ access, params, set }) => {
        await revokeInvitation(ctx, projectActor(access), params.invitationId)
        set.status = 204
      },
      {
        scope: 'people',
        right: 'members.manage',
        whileSuspended: true,
        params: invitationParams,
        detail: {
          summary: 'Take an invitation back',
          description: 'The link in its mail stops working at once. For ADMIN and OWNER.',
        },
      },
    )
}
