-- Stands behind the generated statements of the initial migration: storage settings that drizzle-kit can't say.
-- Room in each page keeps the new version of a patched contact beside the old one, so that its indexes are not touched.
alter table contacts set (fillfactor = 85);
-- Rows of these tables live for seconds; a share of the table is no measure for them.
alter table contact_deltas set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
alter table event_deltas set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
