-- waxwing: stepwise
CREATE INDEX CONCURRENTLY "emails_submitted" ON "emails" USING btree ("message_id") WHERE submitted_set is not null;
