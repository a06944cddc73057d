// The one list of tables that belong to a project: in which order they are cleared, how a page of them is found, and what a reset
// keeps. A test checks it against the catalogue of the database, so a table with a project_id that is not here can't be forgotten.
import type { Closing } from './schema'

export interface OwnedTable {
  table: string
  /** Columns that follow project_id in an index and name a row: the order of pages. None where there are only ever a few rows. */
  by: readonly string[]
  /** That index is in descending order, which is then the cheaper one. */
  falls: boolean
  onReset: 'delete' | 'keep'
  /** Rows of one transaction. */
  batch: number
  /** Goes with the rows of this table, by a foreign key; nothing else finds its rows. */
  goesWith?: string
}

type Given = Partial<Pick<OwnedTable, 'batch' | 'falls' | 'goesWith'>>

const defaultBatch = 2_000

const wiped = (table: string, by: readonly string[], given: Given = {}): OwnedTable => ({
  table,
  by,
  falls: false,
  onReset: 'delete',
  batch: defaultBatch,
  ...given,
})

const kept = (table: string, by: readonly string[], given: Given = {}): OwnedTable => ({
  ...wiped(table, by, given),
  onReset: 'keep',
})

/** What a job would still look up: cleared first, so that late jobs find nothing to do. */
const beginnings = [
  // Each takes its slices along: two thousand of them for two million recipients.
  wiped('campaigns', ['created_at', 'id'], { batch: 5, falls: true }),
  wiped('campaign_slices', [], { goesWith: 'campaigns' }),
  wiped('campaign_ab_tests', [], { goesWith: 'campaigns' }),
  wiped('campaign_variants', [], { goesWith: 'campaigns' }),
  wiped('receiver_refusals', ['day', 'receiver']),
  wiped('campaign_receivers', ['campaign_id', 'receiver']),
  wiped('campaign_clicks', ['campaign_id', 'link_hash', 'contact_id']),
  wiped('workflows', ['id']),
  wiped('approvals', ['campaign_id']),
  wiped('event_listeners', ['name', 'listener_id']),
  wiped('segments', ['id']),
  // Rows with a whole file or a part of one, or with very long lists of ids.
  wiped('contact_imports', ['id'], { batch: 10 }),
  wiped('contact_import_parts', ['import_id', 'part'], { batch: 40 }),
  wiped('contact_import_changes', ['import_id', 'contact_id']),
  wiped('contact_bulks', ['id'], { batch: 50 }),
  wiped('templates', ['created_at', 'id'], { batch: 100, falls: true }),
  wiped('layouts', ['id'], { batch: 100 }),
  wiped('template_strikes', ['hash']),
  wiped('mcp_confirmations', ['id']),
  wiped('webhook_endpoints', ['id']),
  wiped('forms', ['id']),
  wiped('form_requests', ['id']),
]

const content = [
  wiped('webhook_deliveries', ['endpoint_id', 'id'], { batch: 500 }),
  wiped('webhook_tries', ['delivery_id', 'attempt']),
  wiped('workflow_calls', ['id']),
  wiped('workflow_executions', ['id'], { batch: 1_000 }),
  wiped('workflow_timers', ['wake_at', 'execution_id']),
  wiped('workflow_active', ['workflow_id', 'status', 'started_at', 'execution_id']),
  wiped('workflow_step_executions', ['execution_id', 'step_id']),
  wiped('workflow_call_attempts', ['execution_id', 'step_id', 'attempt']),
  wiped('workflow_snapshots', ['id'], { batch: 200 }),
  wiped('workflow_steps', ['workflow_id', 'id']),
  wiped('workflow_transitions', ['workflow_id', 'id']),
  wiped('workflow_references', ['kind', 'name', 'workflow_id']),
  wiped('emails', ['created_at', 'id'], { batch: 500, falls: true }),
  wiped('email_troubles', ['email_id']),
  wiped('email_attempts', ['email_id', 'attempt']),
  wiped('mail_bookings', ['contact_id']),
  wiped('attachments', ['created_at', 'set_id', 'position'], { batch: 20 }),
  wiped('tracking_hits', ['email_id', 'id']),
  wiped('tracking_suspects', ['email_id', 'client']),
  wiped('segment_members', ['segment_id', 'contact_id']),
  wiped('segment_references', ['kind', 'name', 'segment_id']),
  wiped('contacts', ['id'], { batch: 1_000 }),
  wiped('consent_changes', ['contact_id', 'version']),
  wiped('contact_topics', ['contact_id', 'topic_id']),
  wiped('topics', ['id']),
  wiped('old_recipients', ['contact_id', 'token_hash']),
  wiped('old_links', ['id']),
  wiped('contact_deleted_fields', ['name']),
  wiped('contact_fields', ['name']),
  wiped('event_deleted_names', ['name']),
  wiped('events', ['id']),
  wiped('outbox_mails', ['created_at', 'id']),
  wiped('event_transients', ['event_id']),
]

/** Deltas before the totals that they are added to. */
const counts = [
  wiped('campaign_deltas', []),
  wiped('campaign_counts', ['campaign_id']),
  wiped('workflow_deltas', []),
  wiped('workflow_counts', ['workflow_id', 'status']),
  wiped('contact_deltas', []),
  wiped('contact_totals', []),
  wiped('contact_field_totals', ['name']),
  wiped('event_deltas', []),
  wiped('event_name_totals', ['name']),
  wiped('event_totals', ['name', 'day']),
  wiped('email_day_deltas', []),
  wiped('email_days', ['day', 'source_type', 'is_simulated']),
  wiped('email_hours', ['hour']),
  wiped('upload_totals', []),
]

/** Addresses that bounced or complained stay suppressed: a reset must not be the way to write to them again. */
const standing = [
  kept('suppressions', ['email']),
  kept('erased_addresses', ['hash']),
  kept('form_mailboxes', ['mailbox']),
  kept('idempotency_keys', ['by_public_key', 'key']),
  kept('send_paces', []),
  kept('project_retention', []),
  kept('project_billing', []),
  kept('usage_months', ['month', 'source_type']),
  kept('usage_notices', ['month', 'topic', 'kind']),
  kept('project_suspensions', ['at'], { falls: true }),
  kept('domains', ['domain']),
  kept('api_keys', ['id']),
  kept('invitations', ['email']),
  kept('audit_log', ['id']),
  kept('memberships', ['user_id']),
]

/** In the order in which they are cleared. Queued jobs go before all of them, see `dropJobs`. */
export const ownedTables: readonly OwnedTable[] = [...beginnings, ...content, ...counts, ...standing]

export function ownedTablesFor(closing: Closing): readonly OwnedTable[] {
  return ownedTables.filter(({ onReset, goesWith }) => {
    return goesWith === undefined && (closing === 'DELETE' || onReset === 'delete')
  })
}
