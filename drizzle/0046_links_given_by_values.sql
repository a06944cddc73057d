ALTER TABLE "emails" ADD COLUMN "given_links" jsonb;
