CREATE TABLE "contact_topics" (
	"project_id" uuid NOT NULL,
	"contact_id" uuid NOT NULL,
	"topic_id" uuid NOT NULL,
	"subscribed" boolean NOT NULL,
	"decided_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "contact_topics_pkey" PRIMARY KEY("project_id","contact_id","topic_id")
);
--> statement-breakpoint
CREATE TABLE "topics" (
	"id" uuid NOT NULL,
	"project_id" uuid NOT NULL,
	"name" text NOT NULL,
	"description" text,
	"by_default" boolean NOT NULL,
	"archived_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "topics_pkey" PRIMARY KEY("project_id","id"),
	CONSTRAINT "topics_name" CHECK (char_length(name) between 1 and 100),
	CONSTRAINT "topics_description" CHECK (char_length(description) <= 500)
);
--> statement-breakpoint
ALTER TABLE "campaigns" ADD COLUMN "topic_id" uuid;--> statement-breakpoint
ALTER TABLE "consent_changes" ADD COLUMN "topic_id" uuid;--> statement-breakpoint
CREATE INDEX "contact_topics_topic" ON "contact_topics" USING btree ("project_id","topic_id");--> statement-breakpoint
CREATE UNIQUE INDEX "topics_name" ON "topics" USING btree ("project_id","name");
