// Requests and answers of the project routes, and the one place where a stored project becomes what a client sees.

import { Type } from '@sinclair/typebox'
import { type Static, t } from 'elysia'
import { answeredAddress, answeredInstant, nullableAddress, nullableInstant } from '../../../lib/answered'
import { addressText, instantText, oneOfWords } from '../../../lib/described'
import { anyKey } from '../../../lib/free-form'
import { timeOfDayPattern } from '../../../lib/local-time'
import { cursorListOf, cursorQuery } from '../../../lib/paging'
import type { Vault } from '../../../lib/vault'
import { type AuditAction, auditActions } from './audit'
import type { AuditRow, OverviewRow, ProjectRow, SetupRow } from './queries'
import { may, type Role } from './roles'
import { holdRules, roles, trackingModes } from './schema'

const tracking = oneOfWords(trackingModes)
const role = oneOfWords(roles)
const name = t.String({ minLength: 1, maxLength: 100, examples: ['Newsletter'] })

export const createBody = t.Object({ name })

const address = addressText({ minLength: 3, examples: ['hello@example.com'] })
const nullable = t.Union([t.String(), t.Null()])

const timeOfDay = t.String({ pattern: timeOfDayPattern, examples: ['21:00'] })
const whenHeld = oneOfWords(holdRules, {
  description: 'Whether mail that may not leave is sent LATER, which is the default, or SKIPped',
})
const quietMembers = { from: timeOfDay, to: timeOfDay }
const capMembers = {
  messages: t.Integer({ minimum: 1, maximum: 100 }),
  days: t.Integer({ minimum: 1, maximum: 30 }),
}

const mailRules = {
  timeZone: t.Optional(
    t.Union([t.String({ maxLength: 100, examples: ['Europe/Berlin'] }), t.Null()], {
      description: 'Of contacts whose own is not known; null is UTC',
    }),
  ),
  timeZoneField: t.Optional(
    t.Union([t.String({ maxLength: 100, examples: ['timezone'] }), t.Null()], {
      description: "The key in the contacts' data that holds the name of their time zone",
    }),
  ),
  quietHours: t.Optional(
    t.Union([t.Object({ ...quietMembers, whenHeld: t.Optional(whenHeld) }), t.Null()], {
      description: "When no marketing mail leaves, by the recipient's clock",
    }),
  ),
  mailCap: t.Optional(
    t.Union([t.Object({ ...capMembers, whenHeld: t.Optional(whenHeld) }), t.Null()], {
      description: 'At most so many marketing mails of campaigns and workflows for a contact in so many days',
    }),
  ),
}

export const updateBody = t.Object({
  name: t.Optional(name),
  tracking: t.Optional(tracking),
  language: t.Optional(
    t.String({ pattern: '^[a-z]{2}(-[A-Z]{2})?$', maxLength: 5, examples: ['en', 'pt-BR'] }),
  ),
  defaultSender: t.Optional(
    t.Union(
      [
        t.Object({
          email: address,
          name: t.Optional(t.Union([t.String({ maxLength: 255 }), t.Null()])),
          replyTo: t.Optional(t.Union([address, t.Null()])),
        }),
        t.Null(),
      ],
      { description: 'For sends without a sender, in the request or its template; null for none' },
    ),
  ),
  keepsOptOuts: t.Optional(
    t.Boolean({
      description: 'Whether the public key subscribes nobody who opted out or is taking a break; recommended',
    }),
  ),
  keepsClients: t.Optional(
    t.Boolean({
      description:
        "Whether the ledger of consent holds a keyed hash of the recipient's address and program, where there is one",
    }),
  ),
  offersData: t.Optional(
    t.Boolean({
      description:
        'Whether the page of the subscription offers people a copy of what is kept about them, and its erasure; default true',
    }),
  ),
  ...mailRules,
  sendDelaySeconds: t.Optional(
    t.Integer({
      minimum: 0,
      maximum: 600,
      description:
        'How many seconds the dashboard waits after Send on a campaign, so that it can be taken back; default 60, 0 for none. Requests name theirs themselves, as `delaySeconds`',
    }),
  ),
  approvalRequired: t.Optional(
    t.Boolean({
      description:
        'Require a second member to approve each campaign before it is sent. ADMIN and OWNER can turn it on if at least two members may send and have a verified e-mail address (409), only the OWNER can turn it off',
    }),
  ),
  secondFactorRequired: t.Optional(
    t.Boolean({
      description:
        'Set by the OWNER alone, who needs one too: members with a password and no second factor are turned away',
    }),
  ),
  expectedUpdatedAt: t.Optional(
    instantText({
      description: '`updatedAt` of the project as you loaded it. 409 if the project changed since then',
      'x-waxwing-addition': true,
    }),
  ),
})

export const projectAnswer = t.Object(
  {
    id: t.String({ format: 'uuid' }),
    name: t.String(),
    role,
    public: t.String({ description: 'The public key, for POST /v1/track only' }),
    secret: t.Optional(t.String({ description: 'The secret key; shown to ADMIN and OWNER' })),
    webhookSecret: t.Optional(t.String({ description: 'Signs webhook steps; shown to ADMIN and OWNER' })),
    disabled: t.Boolean(),
    disabledReason: t.Union([t.String(), t.Null()]),
    tracking,
    language: t.String(),
    defaultSender: t.Union([
      t.Object({ email: answeredAddress(), name: nullable, replyTo: nullableAddress() }),
      t.Null(),
    ]),
    keepsOptOuts: t.Boolean({ description: 'The public key undoes no opt-out' }),
    keepsClients: t.Boolean({ description: 'The ledger of consent holds hashes of clients' }),
    offersData: t.Boolean({ description: 'People may get a copy of their data, and have it erased' }),
    timeZone: nullable,
    timeZoneField: nullable,
    quietHours: t.Union([t.Object({ from: t.String(), to: t.String(), whenHeld }), t.Null()]),
    mailCap: t.Union([t.Object({ messages: t.Integer(), days: t.Integer(), whenHeld }), t.Null()]),
    sendDelaySeconds: t.Integer({ description: 'Of the dashboard, between Send and the first message' }),
    approvalRequired: t.Boolean({ description: 'A second member approves each campaign' }),
    secondFactorRequired: t.Boolean({ description: 'Of members who sign in with a password' }),
    secondFactorMissing: t.Optional(
      t.Literal(true, {
        description: 'You have none, so the project turns you away; its secrets are left out',
      }),
    ),
    createdAt: answeredInstant(),
    updatedAt: answeredInstant(),
  },
  { title: 'Project' },
)

export const projectList = t.Array(projectAnswer)

export type UpdateBody = Static<typeof updateBody>
export type ProjectAnswer = Static<typeof projectAnswer>

/** The record as `role` may see it; of somebody who is turned away, without secrets. */
export function toProjectAnswer(
  vault: Vault,
  project: ProjectRow,
  role: Role,
  { isTurnedAway = false }: { isTurnedAway?: boolean } = {},
): ProjectAnswer {
  const maySee = may(role, 'secrets.read') && !isTurnedAway
  const secrets = maySee
    ? {
        secret: vault.open('api-key', project.secretKeySealed),
        webhookSecret: vault.open('webhook-secret', project.webhookSecretSealed),
      }
    : {}
  return {
    id: project.id,
    name: project.name,
    role,
    public: vault.open('api-key', project.publicKeySealed),
    ...secrets,
    disabled: project.disabled,
    disabledReason: project.disabledReason,
    tracking: project.tracking,
    language: project.language,
    defaultSender: project.defaultSender,
    keepsOptOuts: project.keepsOptOuts,
    keepsClients: project.keepsClients,
    offersData: project.offersData,
    timeZone: project.timeZone,
    timeZoneField: project.timeZoneField,
    quietHours: project.quietHours,
    mailCap: project.mailCap,
    sendDelaySeconds: project.sendDelaySeconds,
    approvalRequired: project.approvalRequired,
    secondFactorRequired: project.secondFactorRequired,
    ...(isTurnedAway ? { secondFactorMissing: true as const } : {}),
    createdAt: project.createdAt.toISOString(),
    updatedAt: project.updatedAt.toISOString(),
  }
}

export const idParams = t.Object({ id: t.String({ format: 'uuid' }) })

const action = t.Unsafe<AuditAction>(t.Union(auditActions.map(name => t.Literal(name))))

export const auditQuery = t.Object({ ...cursorQuery, action: t.Optional(action) })

const auditAnswer = t.Object(
  {
    id: t.String({ format: 'uuid' }),
    actor: t.String({ description: 'Id of a user, the beginning of a key, or `system`' }),
    actorEmail: nullableAddress(),
    action,
    subject: t.Union([t.String(), t.Null()]),
    details: t.Union([t.Record(anyKey, t.Union([t.String(), t.Number(), t.Boolean(), t.Null()])), t.Null()]),
    createdAt: answeredInstant(),
  },
  { title: 'AuditEntry' },
)

export const auditList = cursorListOf(auditAnswer)

export function toAuditAnswer(row: AuditRow): Static<typeof auditAnswer> {
  return { ...row, createdAt: row.createdAt.toISOString() }
}

export const closingAnswer = t.Object({ success: t.Literal(true), message: t.String() })

/** `later`: the project is closed, and a job goes on with clearing it. */
export function toClosingAnswer(
  what: 'reset' | 'deleted',
  came: 'done' | 'later',
): Static<typeof closingAnswer> {
  const message = came === 'done' ? `Project has been ${what}` : `Project is being ${what} in the background`
  return { success: true, message }
}

const nullableText = Type.Union([Type.String(), Type.Null()])

export const overviewAnswer = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    name: Type.String(),
    defaultSenderDomain: nullableText,
    timeZone: Type.Union([Type.String(), Type.Null()], {
      description: 'IANA time zone of contacts without one of their own; null is UTC',
    }),
    createdAt: answeredInstant(),
  },
  { title: 'ProjectOverview' },
)

export const overviewsAnswer = Type.Union([overviewAnswer, Type.Array(overviewAnswer)], {
  description: 'One project for its key, the list of all projects for a signed-in user',
})

export const setupAnswer = Type.Object(
  {
    hasSubscription: Type.Boolean(),
    hadSubscription: Type.Optional(
      Type.Boolean({ description: 'One that has ended: the provider still has its invoices' }),
    ),
    hasVerifiedDomain: Type.Boolean(),
    contactCount: Type.Integer(),
    lastCampaignSentAt: nullableInstant(),
    hasEnabledWorkflow: Type.Boolean(),
  },
  { title: 'ProjectSetup' },
)

export function toOverview({ createdAt, ...row }: OverviewRow): Static<typeof overviewAnswer> {
  return { ...row, createdAt: createdAt.toISOString() }
}

export function toSetup({
  lastCampaignSentAt,
  hadSubscription,
  ...row
}: SetupRow): Static<typeof setupAnswer> {
  return {
    ...row,
    ...(hadSubscription ? { hadSubscription } : {}),
    lastCampaignSentAt: lastCampaignSentAt?.toISOString() ?? null,
  }
}
