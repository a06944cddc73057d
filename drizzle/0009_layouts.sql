CREATE TABLE "layouts" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"name" text NOT NULL,
	"description" text,
	"body" text NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "campaigns" ADD COLUMN "layout_id" uuid;--> statement-breakpoint
ALTER TABLE "campaigns" ADD COLUMN "joined_body" text;--> statement-breakpoint
ALTER TABLE "templates" ADD COLUMN "layout_id" uuid;--> statement-breakpoint
CREATE INDEX "layouts_project" ON "layouts" USING btree ("project_id","id");
