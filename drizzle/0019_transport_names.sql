ALTER TABLE "email_attempts" ADD COLUMN "transport_name" text;
