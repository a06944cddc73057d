CREATE TABLE "consent_changes" (
	"project_id" uuid NOT NULL,
	"contact_id" uuid NOT NULL,
	"version" integer NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"before" text,
	"after" text NOT NULL,
	"source" text NOT NULL,
	"actor" text,
	"email_id" uuid,
	"wording" text,
	"client" text,
	CONSTRAINT "consent_changes_pkey" PRIMARY KEY("project_id","contact_id","version"),
	CONSTRAINT "consent_changes_before" CHECK (before in ('subscribed', 'snoozed', 'optedOut', 'notAsked')),
	CONSTRAINT "consent_changes_after" CHECK (after in ('subscribed', 'snoozed', 'optedOut', 'notAsked')),
	CONSTRAINT "consent_changes_wording" CHECK (char_length(wording) <= 500)
);
--> statement-breakpoint
ALTER TABLE "contact_bulks" ADD COLUMN "origin" jsonb;--> statement-breakpoint
ALTER TABLE "contact_imports" ADD COLUMN "origin" jsonb;--> statement-breakpoint
ALTER TABLE "contacts" ADD COLUMN "version" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "keeps_opt_outs" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "keeps_clients" boolean DEFAULT false NOT NULL;
