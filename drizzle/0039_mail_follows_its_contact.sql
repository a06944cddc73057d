ALTER TABLE "emails" ADD COLUMN "follows_contact" boolean;
