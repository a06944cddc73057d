CREATE TABLE "mail_bookings" (
	"project_id" uuid NOT NULL,
	"contact_id" uuid NOT NULL,
	"booked" jsonb NOT NULL,
	"latest_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "mail_bookings_pkey" PRIMARY KEY("project_id","contact_id")
);
--> statement-breakpoint
ALTER TABLE "campaign_counts" ADD COLUMN "held" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "campaign_counts" ADD COLUMN "capped" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "campaign_deltas" ADD COLUMN "held" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "campaign_deltas" ADD COLUMN "capped" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "campaigns" ADD COLUMN "timing" jsonb;--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "time_zone" text;--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "time_zone_field" text;--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "quiet_hours" jsonb;--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "mail_cap" jsonb;--> statement-breakpoint
CREATE INDEX "mail_bookings_latest" ON "mail_bookings" USING btree ("latest_at");
