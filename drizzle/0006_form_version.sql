ALTER TABLE "forms" ADD COLUMN "version" integer DEFAULT 1 NOT NULL;
