ALTER TABLE "emails" ADD COLUMN "copies" jsonb;--> statement-breakpoint
ALTER TABLE "emails" ADD COLUMN "tags" jsonb;--> statement-breakpoint
ALTER TABLE "emails" ADD COLUMN "metadata" jsonb;--> statement-breakpoint
ALTER TABLE "emails" ADD COLUMN "scheduled_for" timestamp (3) with time zone;
