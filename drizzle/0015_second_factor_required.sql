ALTER TABLE "projects" ADD COLUMN "second_factor_required" boolean DEFAULT false NOT NULL;
