ALTER TABLE "campaigns" ADD COLUMN "in_archive" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "topics" ADD COLUMN "public_archive" boolean DEFAULT false NOT NULL;
