ALTER TABLE "contact_bulks" ADD COLUMN "segment_id" uuid;
