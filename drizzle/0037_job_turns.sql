-- waxwing: stepwise
-- Older programs go on claiming by jobs_claim.
CREATE INDEX CONCURRENTLY "jobs_line" ON "jobs" USING btree (((band || ' ' || coalesce(project_id::text, '~')) collate "C"),"run_at","id") WHERE state = 'queued';
