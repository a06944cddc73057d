ALTER TABLE "contact_bulks" ADD COLUMN "earlier" jsonb;--> statement-breakpoint
ALTER TABLE "contact_bulks" ADD COLUMN "undoes" uuid;
