CREATE TABLE "contact_deleted_fields" (
	"project_id" uuid NOT NULL,
	"name" text NOT NULL,
	"deleted_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "contact_deleted_fields_pkey" PRIMARY KEY("project_id","name")
);
--> statement-breakpoint
ALTER TABLE "contact_imports" ADD COLUMN "lines" integer DEFAULT 0 NOT NULL;
