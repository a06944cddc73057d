ALTER TABLE "layouts" ADD COLUMN "editor" jsonb;
