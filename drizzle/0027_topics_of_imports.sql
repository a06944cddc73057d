ALTER TABLE "contact_imports" ADD COLUMN "topics" jsonb;
