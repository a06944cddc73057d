-- Stands behind the generated statements of the initial migration: storage settings that drizzle-kit can't say.
-- Room in each page keeps the new version of a patched contact beside the old one, so that its indexes are not touched.
alter table contacts set (fillfactor = 85);
-- Rows of these tables live for seconds; a share of the table is no measure for them.
alter table contact_deltas set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
alter table event_deltas set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
alter table email_day_deltas set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
alter table campaign_deltas set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
alter table workflow_deltas set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
-- A recipient of a campaign is written three times; with room in its page none of that touches an index.
alter table emails set (fillfactor = 60);
-- The same for an execution, which is written with every wait until it ends.
alter table workflow_executions set (fillfactor = 50);
-- Of those that run, most are gone in a moment, and a list of them passes over what they leave.
alter table workflow_active set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 5000);
