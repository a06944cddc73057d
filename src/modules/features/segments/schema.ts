// Tables of segments, their stored members, and what their conditions refer to.

import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import type { FilterCondition } from '../../../filters/read'
import { type FilterReference, referenceKinds } from '../../../filters/references'
import { createdAt, json, listed, time, updatedAt } from '../../../platform/db/columns'

export const segmentTypes = ['DYNAMIC', 'STATIC'] as const
export type SegmentType = (typeof segmentTypes)[number]

export const segments = pgTable(
  'segments',
  {
    id: uuid('id').notNull(),
    projectId: uuid('project_id').notNull(),
    name: text('name').notNull(),
    description: text('description'),
    type: text('type').$type<SegmentType>().notNull(),
    /** Read and found good before it was stored; null for a static one. */
    condition: json<FilterCondition>('condition'),
    trackMembership: boolean('track_membership').notNull(),
    /** As of `counted_at` for a dynamic segment; kept up to date for a static one. */
    memberCount: integer('member_count').notNull(),
    countedAt: time('counted_at').notNull(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  segment => [
    primaryKey({ name: 'segments_pkey', columns: [segment.projectId, segment.id] }),
    // The sweep walks the segments of all projects in this order.
    index('segments_walk').on(segment.id).where(sql`type = 'DYNAMIC'`),
    check('segments_type', sql`type in ${listed(segmentTypes)}`),
    check('segments_condition', sql`(type = 'DYNAMIC') = (condition is not null)`),
    check('segments_name', sql`char_length(name) between 1 and 100`),
    check('segments_description', sql`char_length(description) <= 500`),
    check('segments_member_count', sql`member_count >= 0`),
  ],
)

/**
 * Members of static segments, and those of tracked dynamic ones as of their last compute. A row that appears or goes is what makes
 * an entry or exit, so its key is what makes it happen once. Contacts may be gone already: reads join them.
 */
export const segmentMembers = pgTable(
  'segment_members',
  {
    projectId: uuid('project_id').notNull(),
    segmentId: uuid('segment_id').notNull(),
    contactId: uuid('contact_id').notNull(),
    enteredAt: time('entered_at').notNull(),
  },
  member => [
    primaryKey({
      name: 'segment_members_pkey',
      columns: [member.projectId, member.segmentId, member.contactId],
    }),
    index('segment_members_contact').on(member.projectId, member.contactId),
  ],
)

export type ReferenceKind = FilterReference['kind']

/** What a condition names, written with it: who uses a field, an event name or a segment is an index probe and not a walk through trees. */
export const segmentReferences = pgTable(
  'segment_references',
  {
    projectId: uuid('project_id').notNull(),
    kind: text('kind').$type<ReferenceKind>().notNull(),
    /** `data.plan` or `email`; the event's name; the segment's id. */
    name: text('name').notNull(),
    segmentId: uuid('segment_id').notNull(),
  },
  reference => [
    primaryKey({
      name: 'segment_references_pkey',
      columns: [reference.projectId, reference.kind, reference.name, reference.segmentId],
    }),
    index('segment_references_segment').on(reference.projectId, reference.segmentId),
    check('segment_references_kind', sql`kind in ${listed(referenceKinds)}`),
  ],
)
