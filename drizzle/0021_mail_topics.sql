ALTER TABLE "emails" ADD COLUMN "topic_id" uuid;
