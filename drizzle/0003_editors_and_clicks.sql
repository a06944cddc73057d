CREATE TABLE "campaign_clicks" (
	"project_id" uuid NOT NULL,
	"campaign_id" uuid NOT NULL,
	"link_hash" uuid NOT NULL,
	"contact_id" uuid NOT NULL,
	"link" text NOT NULL,
	"own_clicks" integer DEFAULT 0 NOT NULL,
	"provider_clicks" integer DEFAULT 0 NOT NULL,
	"first_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "campaign_clicks_pkey" PRIMARY KEY("project_id","campaign_id","link_hash","contact_id")
);
--> statement-breakpoint
ALTER TABLE "campaigns" ADD COLUMN "editor" jsonb;--> statement-breakpoint
ALTER TABLE "campaigns" ADD COLUMN "version" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "templates" ADD COLUMN "editor" jsonb;--> statement-breakpoint
ALTER TABLE "templates" ADD COLUMN "version" integer DEFAULT 1 NOT NULL;
