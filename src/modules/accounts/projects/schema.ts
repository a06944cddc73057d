// Projects are the tenants; memberships say which user may do what in which of them. A key is kept twice: hashed for the look-up
// on every request, and sealed so that those who may see it can copy it again.
import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import type { KeyScope } from '../../../http/route'
import { createdAt, id, json, listed, time, updatedAt } from '../../../platform/db/columns'
import type { AuditAction, AuditDetails } from './audit'
import type { Brand } from './brand'

/** Whether opens and clicks are measured: always, never, or in marketing mail only. */
export const trackingModes = ['ENABLED', 'DISABLED', 'MARKETING_ONLY'] as const
export type Tracking = (typeof trackingModes)[number]

export const disabledReasons = ['PAYMENT_FAILED', 'EMAIL_REPUTATION', 'PHISHING_DETECTED', 'MANUAL'] as const
export type DisabledReason = (typeof disabledReasons)[number]

/** What the data of a closed project is deleted for. */
export const closings = ['RESET', 'DELETE'] as const
export type Closing = (typeof closings)[number]

export interface DefaultSender {
  email: string
  name: string | null
  replyTo: string | null
}

/** Roles that people can be given; the owner is whoever created the project. */
export const givenRoles = ['ADMIN', 'MEMBER', 'EDITOR', 'VIEWER'] as const
export const roles = ['OWNER', ...givenRoles] as const
export type Role = (typeof roles)[number]

/** What becomes of marketing mail that may not leave yet. */
export const holdRules = ['LATER', 'SKIP'] as const
export type HoldRule = (typeof holdRules)[number]

/** Hours of the night, by the recipient's clock. */
export interface QuietHours {
  /** `HH:MM`, like `to`. */
  from: string
  to: string
  whenHeld: HoldRule
}

/** At most so many marketing mails for a contact within so many days. */
export interface MailCap {
  messages: number
  days: number
  whenHeld: HoldRule
}

export const projects = pgTable(
  'projects',
  {
    id: id(),
    name: text('name').notNull(),
    disabled: boolean('disabled').notNull().default(false),
    disabledReason: text('disabled_reason').$type<DisabledReason>(),
    tracking: text('tracking').$type<Tracking>().notNull().default('ENABLED'),
    language: text('language').notNull().default('en'),
    /** For sends that name no sender, and whose template names none. */
    defaultSender: json<DefaultSender>('default_sender'),
    /** The public key subscribes nobody who opted out or is taking a break. */
    keepsOptOuts: boolean('keeps_opt_outs').notNull().default(false),
    /** The ledger of consent holds a keyed hash of the recipient's address and program. */
    keepsClients: boolean('keeps_clients').notNull().default(false),
    /** The page of the subscription offers people a copy of what is kept about them, and its erasure. */
    offersData: boolean('offers_data').notNull().default(true),
    /** By its IANA name: for contacts whose own is not known; null is UTC. */
    timeZone: text('time_zone'),
    /** The key in the contacts' data that holds theirs. */
    timeZoneField: text('time_zone_field'),
    /** When no marketing mail leaves, and how much of it a contact gets; null: no rule. */
    quietHours: json<QuietHours>('quiet_hours'),
    mailCap: json<MailCap>('mail_cap'),
    /** Between Send in the dashboard and the campaign's first message: as long as it can be taken back. */
    sendDelaySeconds: integer('send_delay_seconds').notNull().default(60),
    /** What was set of the brand; null: nothing yet. */
    brand: json<Partial<Brand>>('brand'),
    /** A second member has to approve each campaign before it is sent. */
    approvalRequired: boolean('approval_required').notNull().default(false),
    /** Of the members who sign in with a password. */
    secondFactorRequired: boolean('second_factor_required').notNull().default(false),
    publicKeyHash: text('public_key_hash').notNull(),
    secretKeyHash: text('secret_key_hash').notNull(),
    publicKeySealed: text('public_key_sealed').notNull(),
    secretKeySealed: text('secret_key_sealed').notNull(),
    webhookSecretSealed: text('webhook_secret_sealed').notNull(),
    /** The project is closed while its data is deleted; set and cleared by compare-and-set. */
    closing: text('closing').$type<Closing>(),
    closedAt: time('closed_at'),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  project => [
    uniqueIndex('projects_public_key').on(project.publicKeyHash),
    uniqueIndex('projects_secret_key').on(project.secretKeyHash),
    check('projects_send_delay', sql`send_delay_seconds between 0 and 600`),
    check('projects_brand', sql`octet_length(brand::text) <= 32768`),
    check('projects_name', sql`char_length(name) between 1 and 100`),
    check('projects_tracking', sql`tracking in ${listed(trackingModes)}`),
    check('projects_disabled_reason', sql`disabled_reason in ${listed(disabledReasons)}`),
    index('projects_closing').on(project.id).where(sql`closing is not null`),
    check('projects_closing', sql`closing in ${listed(closings)}`),
    check('projects_closed_has_time', sql`(closing is null) = (closed_at is null)`),
    check('projects_reason_means_disabled', sql`disabled or disabled_reason is null`),
  ],
)

/** A key made besides the pair, or one of a pair that was replaced and goes on working until it expires. */
export const storedKeyKinds = ['NAMED', 'SECRET', 'PUBLIC'] as const
export type StoredKeyKind = (typeof storedKeyKinds)[number]

/** Keys besides the pair. The key itself is shown once and kept nowhere; no foreign key, as with everything that a project owns. */
export const apiKeys = pgTable(
  'api_keys',
  {
    id: uuid('id').notNull(),
    projectId: uuid('project_id').notNull(),
    name: text('name').notNull(),
    kind: text('kind').$type<StoredKeyKind>().notNull(),
    hash: text('hash').notNull(),
    /** How it begins: what the audit log calls it. */
    start: text('start').notNull(),
    /** Empty for a key of a pair, which may do what its pair could. */
    scopes: json<KeyScope[]>('scopes').notNull(),
    /** Domains that it may send from; null for all of the project. */
    domains: json<string[]>('domains'),
    expiresAt: time('expires_at'),
    /** To the minute. */
    lastUsedAt: time('last_used_at'),
    createdAt: createdAt(),
  },
  key => [
    primaryKey({ name: 'api_keys_pkey', columns: [key.projectId, key.id] }),
    uniqueIndex('api_keys_hash').on(key.hash),
    check('api_keys_name', sql`char_length(name) between 1 and 100`),
    check('api_keys_kind', sql`kind in ${listed(storedKeyKinds)}`),
    check('api_keys_scopes', sql`(kind = 'NAMED') = (jsonb_array_length(scopes) > 0)`),
    check('api_keys_pair_expires', sql`kind = 'NAMED' or expires_at is not null`),
  ],
)

/** `user_id` has no foreign key: users come before projects in the order of modules, and accounts are never deleted. */
export const memberships = pgTable(
  'memberships',
  {
    projectId: uuid('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    userId: uuid('user_id').notNull(),
    role: text('role').$type<Role>().notNull(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  membership => [
    primaryKey({ columns: [membership.projectId, membership.userId] }),
    index('memberships_user').on(membership.userId),
    uniqueIndex('memberships_one_owner').on(membership.projectId).where(sql`role = 'OWNER'`),
    check('memberships_role', sql`role in ${listed(roles)}`),
  ],
)

/** Asked to join at an address that had no account, or none that was proved; becomes a membership. */
export const invitations = pgTable(
  'invitations',
  {
    id: id(),
    projectId: uuid('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    /** In the one spelling of normaliseEmail. */
    email: text('email').notNull(),
    role: text('role').$type<Exclude<Role, 'OWNER'>>().notNull(),
    /** Of the link in the mail, which proves the address. */
    tokenHash: text('token_hash').notNull(),
    expiresAt: time('expires_at').notNull(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  invitation => [
    uniqueIndex('invitations_project_email').on(invitation.projectId, invitation.email),
    uniqueIndex('invitations_token').on(invitation.tokenHash),
    index('invitations_email').on(invitation.email),
    index('invitations_expires').on(invitation.expiresAt),
    check('invitations_role', sql`role in ${listed(givenRoles)}`),
  ],
)

export const approvalStates = ['REQUESTED', 'APPROVED', 'DECLINED'] as const
export type ApprovalState = (typeof approvalStates)[number]

/**
 * The last request for approval of a campaign, and its decision. It is valid only while the campaign has this `fingerprint`. No foreign key,
 * as with everything that a project owns.
 */
export const approvals = pgTable(
  'approvals',
  {
    projectId: uuid('project_id').notNull(),
    campaignId: uuid('campaign_id').notNull(),
    state: text('state').$type<ApprovalState>().notNull(),
    /** Of everything that is approved, as it was asked for. */
    fingerprint: text('fingerprint').notNull(),
    /** At the request. */
    recipients: integer('recipients'),
    /** When it is to be sent; null is whenever Send is pressed. */
    scheduledFor: time('scheduled_for'),
    /** Ids of users, like `decided_by`. */
    requestedBy: uuid('requested_by').notNull(),
    requestedAt: time('requested_at').notNull(),
    decidedBy: uuid('decided_by'),
    decidedAt: time('decided_at'),
    /** Why it was declined, in the words of who did. */
    reason: text('reason'),
  },
  approval => [
    primaryKey({ name: 'approvals_pkey', columns: [approval.projectId, approval.campaignId] }),
    index('approvals_requested')
      .on(approval.projectId, approval.requestedAt, approval.campaignId)
      .where(sql`state = 'REQUESTED'`),
    check('approvals_state', sql`state in ${listed(approvalStates)}`),
    check('approvals_fingerprint', sql`char_length(fingerprint) between 1 and 64`),
    check('approvals_reason', sql`char_length(reason) <= 500`),
    check(
      'approvals_decided',
      sql`(state = 'REQUESTED') = (decided_at is null) and (decided_at is null) = (decided_by is null)`,
    ),
    // Whoever asks does not decide.
    check('approvals_second', sql`state <> 'APPROVED' or decided_by <> requested_by`),
  ],
)

/** Who changed what in a project, written in the transaction of the change and never changed. No foreign key: entries lock nothing. */
export const auditLog = pgTable(
  'audit_log',
  {
    id: uuid('id').notNull(),
    projectId: uuid('project_id').notNull(),
    /** A user's id, the beginning of a key, or `system`. */
    actor: text('actor').notNull(),
    action: text('action').$type<AuditAction>().notNull(),
    /** What was changed: an id, a name or an address. */
    subject: text('subject'),
    details: json<AuditDetails>('details'),
    createdAt: createdAt(),
  },
  entry => [
    // Ids are UUID v7, so both indexes are in the order of time.
    primaryKey({ name: 'audit_log_pkey', columns: [entry.projectId, entry.id] }),
    index('audit_log_action').on(entry.projectId, entry.action, entry.id),
    check('audit_log_actor', sql`char_length(actor) between 1 and 36`),
    check('audit_log_subject', sql`char_length(subject) <= 300`),
    check('audit_log_details', sql`octet_length(details::text) <= 16384`),
  ],
)
