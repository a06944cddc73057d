CREATE TABLE "backfills" (
	"tag" text PRIMARY KEY NOT NULL,
	"estimate" bigint NOT NULL,
	"done" bigint NOT NULL,
	"cursor" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"finished_at" timestamp (3) with time zone,
	CONSTRAINT "backfills_counts" CHECK (estimate >= 0 and done >= 0)
);
