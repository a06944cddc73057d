CREATE TABLE "contact_import_changes" (
	"project_id" uuid NOT NULL,
	"import_id" uuid NOT NULL,
	"contact_id" uuid NOT NULL,
	"created" boolean NOT NULL,
	"version" integer NOT NULL,
	"touched" boolean DEFAULT false NOT NULL,
	"fields" jsonb,
	"subscription" jsonb,
	"topics" jsonb,
	CONSTRAINT "contact_import_changes_pkey" PRIMARY KEY("project_id","import_id","contact_id")
);
--> statement-breakpoint
ALTER TABLE "contact_imports" ADD COLUMN "options" jsonb;--> statement-breakpoint
ALTER TABLE "contact_imports" ADD COLUMN "unchanged" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "contact_imports" ADD COLUMN "misfits" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "contact_imports" ADD COLUMN "misfit_cells" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "contact_imports" ADD COLUMN "undo" jsonb;
