CREATE TABLE "outbox_mails" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid,
	"kind" text NOT NULL,
	"audience" text NOT NULL,
	"to_email" text NOT NULL,
	"subject" text NOT NULL,
	"content_sealed" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "outbox_mails_kind" CHECK (kind in ('TEST', 'INVITATION', 'NOTICE', 'ACCOUNT')),
	CONSTRAINT "outbox_mails_audience" CHECK (audience in ('members', 'admins', 'operator')),
	CONSTRAINT "outbox_mails_owner" CHECK ((audience = 'operator') = (project_id is null))
);
--> statement-breakpoint
CREATE INDEX "outbox_mails_project" ON "outbox_mails" USING btree ("project_id","created_at","id");--> statement-breakpoint
CREATE INDEX "outbox_mails_created" ON "outbox_mails" USING btree ("created_at");
