// The statements of a message, from the request to the settled row, in the form that suits sharding by project best: each names its one
// project as a constant, so that it is planned as one task for one shard. What the program does in one statement with common table
// expressions that write is taken apart, because Citus carries those out through the coordinator. PostgreSQL gets the same statements.

/** `$1` is the project, `$2` the messages as JSON. */
const given = `from projects p cross join json_to_recordset($2) as r(
  id uuid, "contactId" uuid, "eventId" uuid, "otherEventId" uuid, email text, body text, at timestamptz) where p.id = $1`
const hour = `date_trunc('hour', min(r.at), 'UTC')`

const upsertContacts = `
  insert into contacts as c (id, project_id, email, subscribed, data, created_at, updated_at)
  select r."contactId", p.id, r.email, false, '{"name": "Ada", "order": 4711}'::jsonb, r.at, r.at ${given} order by r.email
  on conflict (project_id, email) do update set data = c.data || excluded.data, updated_at = excluded.updated_at`
const noteConsent = `
  insert into consent_changes (project_id, contact_id, version, at, before, after, source, actor)
  select p.id, r."contactId", 0, r.at, null, 'notAsked', 'api', 'sk_bench' ${given}`
const countContacts = `
  insert into contact_deltas (project_id, contacts, subscribed, fields)
  select p.id, count(*), 0, '{"name": 1, "order": 1}'::jsonb ${given} group by p.id`
const insertEmails = `
  insert into emails (id, project_id, contact_id, source_type, mail_class, to_email, from_email, subject, html, text, headers, message_id,
                      status, created_at, updated_at)
  select r.id, p.id, r."contactId", 'TRANSACTIONAL', 'transactional', r.email, 'a@bench.example', 'Your order', r.body, r.body, '{}',
         r.id || '@bench.example', 'PENDING', r.at, r.at ${given}`
const countCreated = `
  insert into email_day_deltas (project_id, hour, source_type, is_simulated, created)
  select p.id, ${hour}, 'TRANSACTIONAL', false, count(*) ${given} group by p.id`

const findSuppressed = `
  select s.email, s.reason from suppressions s
   where s.project_id = $1 and s.email in (select r.email from json_to_recordset($2) as r(email text))`

/** Sent together, without waiting for one another, as the program does. */
export const accept = [
  findSuppressed,
  upsertContacts,
  countContacts,
  noteConsent,
  insertEmails,
  countCreated,
] as const

export const take = `
  update emails e set status = 'SENDING', attempts = e.attempts + 1, next_attempt_at = null, updated_at = now(), tried_since = now()
    from projects p, json_to_recordset($2) as r(id uuid)
   where p.id = $1 and p.closing is null and e.project_id = $1 and e.id = r.id and e.status in ('PENDING', 'SENDING')
  returning e.id, e.contact_id, e.source_type, e.to_email, e.from_email, e.subject, e.html, e.text, e.headers, e.message_id, e.attempts,
            p.disabled, p.tracking,
            (select s.reason from suppressions s where s.project_id = $1 and s.email = e.to_email) as suppressed`

const settleEmails = `
  update emails e set status = 'DELIVERED', sent_at = now(), delivered_at = now(), tried_since = null, updated_at = now()
    from json_to_recordset($2) as r(id uuid)
   where e.project_id = $1 and e.id = r.id and e.status = 'SENDING' and e.attempts = 1`
const countSettled = `
  insert into email_day_deltas (project_id, hour, source_type, is_simulated, sent, delivered)
  select p.id, ${hour}, 'TRANSACTIONAL', false, count(*), count(*) ${given} group by p.id`
const insertAttempts = `
  insert into email_attempts (email_id, attempt, project_id, transport, outcome, stage, code, response, started_at, finished_at)
  select r.id, 1, p.id, 'smtp', 'accepted', 'final', 250, '2.0.0 taken', r.at, r.at ${given} on conflict do nothing`
const insertEvents = `
  insert into events (id, project_id, name, contact_id, email_id, data, created_at)
  select n.id, p.id, n.name, r."contactId", r.id, json_build_object('subject', 'Your order', 'from', 'a@bench.example', 'messageId', r.id,
         'emailId', r.id, 'sourceType', 'TRANSACTIONAL', 'sentAt', r.at), r.at
    ${given.replace(
      'where',
      `cross join lateral (values ('email.sent', r."eventId"), ('email.delivery', r."otherEventId")) as n(name, id) where`,
    )}`
const countEvents = `
  insert into event_deltas (project_id, name, day, count)
  select p.id, n.name, min(r.at)::date, count(*)
    ${given.replace('where', `cross join (values ('email.sent'), ('email.delivery')) as n(name) where`)} group by p.id, n.name`

export const settle = [settleEmails, countSettled, insertAttempts, insertEvents, countEvents] as const

/** `$3` is the campaign, `$4` the last contact of the page before. Returns the recipients. */
export const expand = `
  insert into emails as e (id, project_id, contact_id, campaign_id, source_type, mail_class, to_email, from_email, subject, html, text, headers,
                      message_id, status, created_at, updated_at)
  select md5(c.id::text || $3::uuid)::uuid, c.project_id, c.id, $3::uuid, 'CAMPAIGN', 'marketing', c.email, 'a@bench.example', '', '', '', '{}', c.id || '@bench.example',
         'PENDING', now(), now()
    from (select * from contacts where project_id = $1 and subscribed and id > $4 order by id limit $2::int) c
  returning e.id, e.contact_id as "contactId", e.to_email as email`

/** Jobs stay where the program's runners look for them. */
export const insertJobs = `
  insert into jobs (id, kind, args, band, state, run_at, attempt, max_attempts, project_id, created_at)
  select id, 'email.deliver', args, 'transactional', 'queued', now(), 0, 50, $1, now()
    from json_to_recordset($2) as r(id uuid, args jsonb)`
export const claimJobs = `
  update jobs set state = 'running', attempt = attempt + 1, locked_by = $2::uuid
   where id = any(array(select id from jobs where state = 'queued' and band = 'transactional' and run_at <= now()
                         order by run_at, id limit $1::int for update skip locked))
  returning id, args, project_id as "projectId"`
export const endJobs = 'delete from jobs where id = any($1::uuid[])'
