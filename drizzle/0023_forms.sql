CREATE TABLE "form_mailboxes" (
	"project_id" uuid NOT NULL,
	"mailbox" text NOT NULL,
	"mailed_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "form_mailboxes_pkey" PRIMARY KEY("project_id","mailbox")
);
--> statement-breakpoint
CREATE TABLE "form_requests" (
	"project_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"form_id" uuid NOT NULL,
	"email" text NOT NULL,
	"state" text NOT NULL,
	"version" integer NOT NULL,
	"values" jsonb NOT NULL,
	"topic_ids" uuid[] NOT NULL,
	"language" text NOT NULL,
	"wording" text NOT NULL,
	"contact_id" uuid,
	"email_id" uuid,
	"asked" integer NOT NULL,
	"confirmed" integer NOT NULL,
	"asked_at" timestamp (3) with time zone NOT NULL,
	"mailed_at" timestamp (3) with time zone,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "form_requests_pkey" PRIMARY KEY("project_id","id"),
	CONSTRAINT "form_requests_state" CHECK (state in ('waiting', 'mailed', 'confirmed'))
);
--> statement-breakpoint
CREATE TABLE "forms" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"name" text NOT NULL,
	"enabled" boolean NOT NULL,
	"language" text,
	"topic_ids" uuid[] NOT NULL,
	"fields" jsonb NOT NULL,
	"look" jsonb NOT NULL,
	"template_id" uuid,
	"redirect_url" text,
	"asked" bigint DEFAULT 0 NOT NULL,
	"confirmed" bigint DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "forms_name" CHECK (char_length(name) between 1 and 100)
);
--> statement-breakpoint
CREATE INDEX "form_mailboxes_mailed" ON "form_mailboxes" USING btree ("mailed_at");--> statement-breakpoint
CREATE UNIQUE INDEX "form_requests_address" ON "form_requests" USING btree ("project_id","form_id","email");--> statement-breakpoint
CREATE INDEX "form_requests_contact" ON "form_requests" USING btree ("project_id","contact_id");--> statement-breakpoint
CREATE INDEX "form_requests_expires" ON "form_requests" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "forms_project" ON "forms" USING btree ("project_id","id");
