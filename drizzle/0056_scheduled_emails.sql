-- waxwing: stepwise
CREATE INDEX CONCURRENTLY "emails_scheduled" ON "emails" USING btree ("project_id","scheduled_for","id") WHERE scheduled_for is not null and campaign_id is null;
