CREATE TABLE "old_links" (
	"project_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"url" text NOT NULL,
	CONSTRAINT "old_links_pkey" PRIMARY KEY("project_id","id"),
	CONSTRAINT "old_links_url" CHECK (url ~ '^https?://' and char_length(url) <= 8000)
);
--> statement-breakpoint
CREATE TABLE "old_recipients" (
	"project_id" uuid NOT NULL,
	"contact_id" uuid NOT NULL,
	"token_hash" text NOT NULL,
	CONSTRAINT "old_recipients_pkey" PRIMARY KEY("project_id","contact_id","token_hash")
);
--> statement-breakpoint
CREATE INDEX "old_links_id" ON "old_links" USING btree ("id");--> statement-breakpoint
CREATE INDEX "old_recipients_token" ON "old_recipients" USING btree ("token_hash");
