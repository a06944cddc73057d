ALTER TABLE "emails" ADD COLUMN "submitted_set" uuid;
