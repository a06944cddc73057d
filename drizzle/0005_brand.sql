ALTER TABLE "projects" ADD COLUMN "brand" jsonb;
--> statement-breakpoint
ALTER TABLE "projects" ADD CONSTRAINT "projects_brand" CHECK (octet_length(brand::text) <= 32768) NOT VALID;
--> statement-breakpoint
ALTER TABLE "projects" VALIDATE CONSTRAINT "projects_brand";
