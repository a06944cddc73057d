CREATE TABLE "contact_import_parts" (
	"project_id" uuid NOT NULL,
	"import_id" uuid NOT NULL,
	"part" integer NOT NULL,
	"content" "bytea" NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "contact_import_parts_pkey" PRIMARY KEY("project_id","import_id","part"),
	CONSTRAINT "contact_import_parts_content" CHECK (octet_length(content) <= 300000)
);
--> statement-breakpoint
-- What is compressed already is not tried again.
ALTER TABLE "contact_import_parts" ALTER COLUMN "content" SET STORAGE EXTERNAL;
