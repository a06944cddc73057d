CREATE TABLE "project_retention" (
	"project_id" uuid NOT NULL,
	"events_days" integer,
	"messages_days" integer,
	"inactive_days" integer,
	"effective_at" timestamp (3) with time zone NOT NULL,
	"run_at" timestamp (3) with time zone,
	"messages_to" timestamp (3) with time zone,
	CONSTRAINT "project_retention_pkey" PRIMARY KEY("project_id"),
	CONSTRAINT "project_retention_days" CHECK (least(events_days, messages_days, inactive_days) >= 7)
);
