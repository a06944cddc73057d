CREATE TABLE "contact_deleted_fields" (
	"project_id" uuid NOT NULL,
	"name" text NOT NULL,
	"deleted_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "contact_deleted_fields_pkey" PRIMARY KEY("project_id","name")
);
--> statement-breakpoint
ALTER TABLE "contact_imports" ADD COLUMN "lines" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "contacts" ADD CONSTRAINT "contacts_data_keys" CHECK (octet_length(data::text) < 4000 or jsonb_array_length(jsonb_path_query_array(data, '$.keyvalue()')) <= 500);
