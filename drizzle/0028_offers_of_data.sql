ALTER TABLE "projects" ADD COLUMN "offers_data" boolean DEFAULT true NOT NULL;
