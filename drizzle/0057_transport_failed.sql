ALTER TABLE "email_attempts" ADD COLUMN "transport_failed" boolean DEFAULT false NOT NULL;
