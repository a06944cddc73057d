// Statements that read or change a table of projects without naming the project, and why they may (test/sql.test.ts). Whoever adds one
// says which of these it is; what was only forgotten gets its project instead.

const sweep = 'looks for what is due or old in all projects; each row says whose it is'
const known =
  'by ids that rows of this project, or jobs with it, have named; the id alone is the key, and one statement serves several projects'
const outside = 'an id or a name that comes from outside, and says itself whose it is'
const account = 'of a person, who may be in several projects'
const names =
  'a domain is proved by one project, and claimed by any: the name is compared with those of all others'

const given = 'by a key, a range or an audience that carries the project'

/** By `path table`. */
export const projectless: ReadonlyMap<string, string> = new Map([
  ['src/cli/doctor.ts domains', sweep],
  ['src/modules/oversight/billing/queries/customers.ts project_billing', sweep],
  ['src/modules/oversight/billing/queries/notices.ts usage_months', sweep],
  ['src/modules/oversight/billing/queries/reports.ts project_billing', sweep],
  ['src/modules/oversight/billing/queries/reports.ts usage_months', sweep],
  ['src/modules/features/campaigns/queries.ts campaigns', sweep],
  ['src/modules/features/campaigns/sending/queries/probes.ts campaign_ab_tests', sweep],
  ['src/modules/features/campaigns/sending/queries/probes.ts campaigns', sweep],
  ['src/modules/audience/contacts/queries/import-parts.ts contact_import_parts', sweep],
  ['src/modules/audience/contacts/queries/import-changes.ts contact_import_changes', sweep],
  ['src/modules/audience/contacts/queries/import-changes.ts contact_imports', sweep],
  ['src/modules/audience/contacts/queries/respell.ts contacts', sweep],
  ['src/modules/audience/contacts/queries/retention.ts contact_bulks', sweep],
  ['src/modules/audience/contacts/queries/retention.ts contact_imports', sweep],
  ['src/modules/audience/contacts/queries/subscription.ts contacts', sweep],
  ['src/modules/sending/delivery/queries/bookings.ts mail_bookings', sweep],
  ['src/modules/sending/emails/queries/days.ts email_day_deltas', sweep],
  ['src/modules/sending/emails/queries/days.ts email_hours', sweep],
  ['src/modules/sending/emails/queries/retention.ts attachments', sweep],
  ['src/modules/sending/emails/queries/retention.ts emails', sweep],
  ['src/modules/audience/events/queries/remove.ts event_transients', sweep],
  ['src/modules/sending/feedback/queries/tracking.ts tracking_hits', sweep],
  ['src/modules/sending/feedback/queries/tracking.ts tracking_suspects', sweep],
  ['src/modules/features/forms/queries/retention.ts form_mailboxes', sweep],
  ['src/modules/features/forms/queries/retention.ts form_requests', sweep],
  ['src/modules/accounts/projects/queries/invitations.ts invitations', sweep],
  ['src/modules/oversight/privacy/queries.ts project_retention', sweep],
  ['src/modules/features/segments/queries/segments.ts segments', sweep],
  ['src/modules/api/v1/queries.ts idempotency_keys', sweep],
  ['src/modules/api/webhooks/queries/deliveries.ts webhook_deliveries', sweep],
  ['src/modules/features/workflows/runs/queries/counts.ts workflow_counts', sweep],
  ['src/modules/features/workflows/runs/queries/listening.ts workflows', sweep],
  ['src/modules/features/workflows/definition/queries/removal.ts workflow_snapshots', sweep],
  ['src/modules/features/workflows/definition/queries/removal.ts workflows', sweep],
  ['src/platform/db/migration/backfill.ts contacts', sweep],
  ['src/platform/db/roll-up.ts email_day_deltas', sweep],
  ['src/modules/features/campaigns/authoring/queries/ab-tests.ts campaign_ab_tests', known],
  ['src/modules/features/campaigns/authoring/queries/ab-tests.ts campaign_variants', known],
  ['src/modules/features/campaigns/sending/queries/slices.ts campaign_ab_tests', known],
  ['src/modules/features/campaigns/sending/queries/slices.ts campaign_slices', known],
  ['src/modules/features/campaigns/sending/queries/slices.ts campaigns', known],
  ['src/modules/sending/domains/queries/claims.ts domains', known],
  ['src/modules/sending/domains/queries/rotation.ts domains', known],
  ['src/modules/sending/domains/queries/warm-up.ts domains', known],
  ['src/modules/sending/emails/queries/copies.ts emails', known],
  ['src/modules/sending/emails/queries/create.ts attachments', known],
  ['src/modules/sending/emails/queries/create.ts emails', known],
  ['src/modules/sending/emails/queries/delivery.ts emails', known],
  ['src/modules/sending/emails/queries/fail-waiting.ts emails', known],
  ['src/modules/sending/emails/queries/reports.ts emails', known],
  ['src/modules/sending/emails/queries/scheduled.ts emails', known],
  ['src/modules/sending/feedback/queries/inbound.ts domains', outside],
  ['src/modules/sending/feedback/queries/mails.ts emails', outside],
  ['src/modules/features/forms/queries/forms.ts forms', outside],
  ['src/modules/accounts/projects/queries/api-keys.ts api_keys', outside],
  ['src/modules/sending/domains/queries/provider.ts domains', names],
  ['src/modules/accounts/projects/queries/memberships.ts memberships', account],
  ['src/modules/audience/suppressions/queries.ts suppressions', sweep],
])

/** Functions with statements of the builder, by `path table function`. */
export const projectlessBuilders: ReadonlyMap<string, string> = new Map([
  ['src/modules/features/campaigns/authoring/queries/ab-tests.ts campaign_ab_tests recordJudgement', given],
  ['src/modules/features/campaigns/authoring/queries/ab-tests.ts campaign_ab_tests replaceAbTest', given],
  ['src/modules/features/campaigns/authoring/queries/ab-tests.ts campaign_slices claimPlanning', known],
  ['src/modules/features/campaigns/authoring/queries/ab-tests.ts campaign_slices markSliceTested', known],
  ['src/modules/features/campaigns/authoring/queries/ab-tests.ts contacts selectPlaces', given],
  ['src/modules/features/campaigns/authoring/queries/audience.ts contacts countAudience', given],
  ['src/modules/features/campaigns/results/queries/recipients.ts emails countRecipients', given],
  ['src/modules/features/campaigns/results/queries/recipients.ts emails selectRecipients', given],
  ['src/modules/sending/domains/queries/claims.ts domains pageOfDomains', sweep],
  ['src/modules/accounts/projects/queries/api-keys.ts api_keys deleteExpiredPairs', sweep],
  ['src/modules/sending/redirects/queries.ts old_links selectOldLink', outside],
])
