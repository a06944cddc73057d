ALTER TABLE "emails" ADD COLUMN "submitted_set" uuid;--> statement-breakpoint
CREATE INDEX "emails_submitted" ON "emails" USING btree ("message_id") WHERE submitted_set is not null;
