// Projects are the tenants; memberships say which user may do what in which of them. A key is kept twice: hashed for the look-up
// on every request, and sealed so that those who may see it can copy it again.
import { sql } from 'drizzle-orm'
import { boolean, check, index, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { createdAt, id, updatedAt } from '../../platform/db/columns'

/** Whether opens and clicks are measured: always, never, or in marketing mail only. */
export type Tracking = 'ENABLED' | 'DISABLED' | 'MARKETING_ONLY'

export type DisabledReason = 'PAYMENT_FAILED' | 'EMAIL_REPUTATION' | 'PHISHING_DETECTED' | 'MANUAL'

export type Role = 'OWNER' | 'ADMIN' | 'MEMBER'

export const projects = pgTable(
  'projects',
  {
    id: id(),
    name: text('name').notNull(),
    disabled: boolean('disabled').notNull().default(false),
    disabledReason: text('disabled_reason').$type<DisabledReason>(),
    tracking: text('tracking').$type<Tracking>().notNull().default('ENABLED'),
    language: text('language').notNull().default('en'),
    publicKeyHash: text('public_key_hash').notNull(),
    secretKeyHash: text('secret_key_hash').notNull(),
    publicKeySealed: text('public_key_sealed').notNull(),
    secretKeySealed: text('secret_key_sealed').notNull(),
    webhookSecretSealed: text('webhook_secret_sealed').notNull(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  project => [
    uniqueIndex('projects_public_key').on(project.publicKeyHash),
    uniqueIndex('projects_secret_key').on(project.secretKeyHash),
    check('projects_name', sql`char_length(name) between 1 and 100`),
    check('projects_tracking', sql`tracking in ('ENABLED', 'DISABLED', 'MARKETING_ONLY')`),
    check(
      'projects_disabled_reason',
      sql`disabled_reason in ('PAYMENT_FAILED', 'EMAIL_REPUTATION', 'PHISHING_DETECTED', 'MANUAL')`,
    ),
    check('projects_reason_means_disabled', sql`disabled or disabled_reason is null`),
  ],
)

/** `user_id` has no foreign key: users stand above projects in the order of modules, and accounts are never deleted. */
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
    check('memberships_role', sql`role in ('OWNER', 'ADMIN', 'MEMBER')`),
  ],
)
