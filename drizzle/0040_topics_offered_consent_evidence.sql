ALTER TABLE "consent_changes" ADD COLUMN "evidence" text;--> statement-breakpoint
ALTER TABLE "old_recipients" ADD COLUMN "address_hash" text;--> statement-breakpoint
ALTER TABLE "topics" ADD COLUMN "offered" boolean DEFAULT true NOT NULL;
