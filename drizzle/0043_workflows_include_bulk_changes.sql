ALTER TABLE "workflows" ADD COLUMN "include_bulk_changes" boolean DEFAULT false NOT NULL;
