// Requests and answers about members, invitations, and what a project still needs.

import { type Static, Type } from '@sinclair/typebox'
import { answeredAddress, answeredInstant } from '../../../lib/answered'
import { addressText, oneOfWords } from '../../../lib/described'
import type { InvitationRow, MemberRow } from './queries'
import { givenRoles, roles } from './schema'

const role = oneOfWords(roles)
const givenRole = oneOfWords(givenRoles)
const uuid = Type.String({ format: 'uuid' })

export const addMemberBody = Type.Object({
  email: addressText({ minLength: 1, examples: ['grace@example.com'] }),
  role: Type.Optional(oneOfWords(givenRoles, { description: 'MEMBER by default' })),
})

export const changeRoleBody = Type.Object({ role: givenRole })

export const memberParams = Type.Object({ id: uuid, userId: uuid })
export const invitationParams = Type.Object({ id: uuid, invitationId: uuid })

export const memberAnswer = Type.Object({ userId: uuid, email: answeredAddress(), role }, { title: 'Member' })

export const memberList = Type.Array(
  Type.Object(
    {
      userId: uuid,
      email: answeredAddress(),
      role,
      createdAt: answeredInstant(),
      secondFactor: Type.Optional(
        oneOfWords(['ON', 'OFF', 'PROVIDER'], {
          description: 'For ADMIN and OWNER; PROVIDER signs in elsewhere and is never asked here',
        }),
      ),
    },
    { title: 'ListedMember' },
  ),
)

/** `userId` is null while the invitation is open. */
export const addedAnswer = Type.Object(
  {
    userId: Type.Union([uuid, Type.Null()]),
    email: answeredAddress(),
    role,
    pending: Type.Boolean({ description: 'True for an invitation that was mailed' }),
    invitationId: Type.Optional(uuid),
  },
  { title: 'AddedMember' },
)

export const invitationList = Type.Array(
  Type.Object({
    id: uuid,
    email: answeredAddress(),
    role: givenRole,
    createdAt: answeredInstant(),
    expiresAt: answeredInstant(),
  }),
)

export const invitationLinkAnswer = Type.Object({ url: Type.String() }, { title: 'InvitationLink' })

export const removedAnswer = Type.Object({ success: Type.Literal(true), message: Type.String() })

export type AddMemberBody = Static<typeof addMemberBody>
export type AddedAnswer = Static<typeof addedAnswer>
export type MemberAnswer = Static<typeof memberAnswer>

export function toMember({
  createdAt,
  ...member
}: Omit<MemberRow, 'secondFactor'> & Partial<MemberRow>): Static<typeof memberList>[number] {
  return { ...member, createdAt: createdAt.toISOString() }
}

export function toInvitation(row: InvitationRow): Static<typeof invitationList>[number] {
  const { id, email, role, createdAt, expiresAt } = row
  return { id, email, role, createdAt: createdAt.toISOString(), expiresAt: expiresAt.toISOString() }
}
