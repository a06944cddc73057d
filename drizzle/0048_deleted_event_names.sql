CREATE TABLE "event_deleted_names" (
	"project_id" uuid NOT NULL,
	"name" text NOT NULL,
	"deleted_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "event_deleted_names_pkey" PRIMARY KEY("project_id","name")
);
