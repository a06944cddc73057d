// What the check of the statements (test/sql.test.ts) has to be told.

/** Stands for what `insertRows` makes, which is made with the same tables where the statements are read. */
export const insertedRows = '(rows)'

/** Stands for a name that a function is given as text. */
export const givenName = '(name)'

const closing = 'src/modules/accounts/projects/queries/closing.ts'
const backfill = 'src/platform/db/migration/backfill.ts'
const days = 'src/modules/sending/emails/queries/days.ts'
const diff = 'src/modules/features/segments/queries/diff.ts'

/** Text for parts of statements that only a run knows, by `path: expression`; by `path: name()` for all that a function makes. */
export const stands: Readonly<Record<string, string>> = {
  [`${closing}: table`]: 'events',
  [`${closing}: column`]: 'id',
  [`${closing}: sql([...by])`]: 'id, id',
  [`${diff}: where`]: 'true',
  'src/modules/audience/contacts/queries/list.ts: where': 'true',
  [`${backfill}: rowsOfIt`]: 'contacts',
  [`${backfill}: all`]: 'contacts',
  [`${backfill}: sorted`]: 'id',
  [`${backfill}: type`]: 'uuid',
  'src/modules/features/campaigns/sending/queries/expansion.ts: isMeant(audience)':
    "contacts.project_id = '00000000-0000-0000-0000-000000000000'",
  // A text, or where an A/B test has several the one of a contact.
  'src/modules/sending/emails/queries/campaign-emails.ts: mail.subject': "''",
  'src/modules/sending/emails/queries/campaign-emails.ts: mail.fromName': "''",
  'src/modules/sending/emails/queries/campaign-emails.ts: subject': "''",
  'src/modules/sending/emails/queries/campaign-emails.ts: fromName': "''",
  'src/platform/db/insert-rows.ts: insertRows()': insertedRows,
  'src/platform/db/cte.ts: identifier()': givenName,
  // What is made from schema.ts, for one table of those that it is made for.
  'src/platform/db/roll-up.ts: takeDeltas()': '',
  'src/platform/db/roll-up.ts: taken.as': 'taken as (delete from email_day_deltas returning *)',
  'src/platform/db/roll-up.ts: taken.name': 'taken',
  [`${days}: taken.as`]: 'taken as (delete from email_day_deltas returning *)',
  [`${days}: taken.name`]: 'taken',
  'src/platform/db/roll-up.ts: table': 'email_day_deltas',
  'src/platform/db/roll-up.ts: addTo()': 'select from taken',
  'src/platform/db/roll-up.ts: addToAll()': '',
  'src/platform/db/roll-up.ts: rollUp()': '',
}

/** Statements for databases that are not ours. */
export const elsewhere = ['src/cli/import/sources/listmonk-database.ts']

const schemaSays = 'the column has no CHECK, and only code that has the type of schema.ts writes it'
const known = 'rows that are no new contacts were joined with one'
const given = 'json_to_recordset cannot tell that each element has it'

/** What the server cannot know, and why the code may say it. */
export const exceptions: ReadonlyMap<string, string> = new Map([
  ['src/modules/oversight/reporting/queries/upcoming.ts transitions: may be null', 'every graph has them'],
  ['src/modules/oversight/reporting/queries/upcoming.ts workflowName: may be null', 'every graph has it'],
  [
    'src/modules/audience/contacts/queries/import-parts.ts bytes: may be null',
    'it is there until the import has ended, by a CHECK',
  ],
  ['src/modules/audience/contacts/queries/consent.ts source: may hold any text', schemaSays],
  [
    'src/modules/audience/contacts/queries/respell.ts fits: may be null',
    'sizes of rows that are there are never null',
  ],
  [
    'src/modules/audience/contacts/queries/respell.ts name: may be null',
    'jsonb_each gives each member its name',
  ],
  ['src/modules/audience/contacts/queries/upsert.ts createdAt: may be null', known],
  ['src/modules/audience/contacts/queries/upsert.ts data: may be null', known],
  ['src/modules/audience/contacts/queries/upsert.ts email: may be null', given],
  ['src/modules/audience/contacts/queries/upsert.ts projectId: may be null', given],
  ['src/modules/audience/contacts/queries/upsert.ts subscribed: may be null', known],
  ['src/modules/audience/contacts/queries/upsert.ts updatedAt: may be null', known],
  ['src/modules/sending/emails/queries/copies.ts mailClass: may hold any text', schemaSays],
  ['src/modules/sending/emails/queries/copies.ts sourceType: may hold any text', schemaSays],
  ['src/modules/sending/emails/queries/create.ts disposition: may hold any text', schemaSays],
  ['src/modules/sending/emails/queries/days.ts sourceType: may hold any text', schemaSays],
  ['src/modules/sending/emails/queries/delivery.ts mailClass: may hold any text', schemaSays],
  ['src/modules/sending/emails/queries/delivery.ts sourceType: may hold any text', schemaSays],
  ['src/modules/sending/emails/queries/fail-waiting.ts sourceType: may hold any text', schemaSays],
  ['src/modules/sending/emails/queries/scheduled.ts sourceType: may hold any text', schemaSays],
  ['src/modules/sending/emails/queries/reports.ts sourceType: may hold any text', schemaSays],
  ['src/modules/audience/events/queries/record.ts id: may be null', given],
  ['src/modules/sending/feedback/queries/tracking.ts sourceType: may hold any text', schemaSays],
  [
    'src/modules/accounts/system-emails/queries.ts contentSealed: may be null',
    'it is there while a mail is pending, by a CHECK',
  ],
  ['src/modules/accounts/projects/queries/audit.ts action: may hold any text', schemaSays],
  [
    'src/modules/accounts/projects/queries/invitations.ts projectName: may be null',
    'a foreign key says that the project is there',
  ],
  ['src/modules/features/workflows/runs/queries/counts.ts status: may hold any text', schemaSays],
  ['src/modules/features/workflows/runs/queries/history.ts steps: may be null', 'every graph has them'],
  ['src/modules/features/workflows/runs/queries/history.ts transitions: may be null', 'every graph has them'],
  ['src/platform/backup/catalogue.ts name: may be null', "of PostgreSQL's own views nothing is known"],
  ['src/platform/backup/catalogue.ts value: may be null', "of PostgreSQL's own views nothing is known"],
  ['src/platform/db/partition/catalogue.ts bytes: may be null', 'the partition is there'],
  ['src/platform/db/partition/hindrances.ts mayChange: may be null', 'the table is there'],
  ['src/platform/db/partition/hindrances.ts mayCreate: may be null', 'the table is there'],
  ['src/platform/db/partition/hindrances.ts owner: may be null', 'the table is there'],
  ['src/platform/db/partition/preview.ts standby: may be null', 'PostgreSQL knows what it is'],
  ['src/platform/db/partition/split.ts key: may be null', 'the run has made the constraint'],
  ['src/platform/db/partition/split.ts owner: may be null', 'the table is there'],
  ['src/platform/instance/queries.ts id: may be null', 'every cluster has one'],
  ['src/platform/rate/queries.ts used: may be null', 'the statement itself puts a slot there'],
])
