ALTER TABLE "projects" ADD COLUMN "send_delay_seconds" integer DEFAULT 60 NOT NULL;
--> statement-breakpoint
ALTER TABLE "projects" ADD CONSTRAINT "projects_send_delay" CHECK (send_delay_seconds between 0 and 600) NOT VALID;
--> statement-breakpoint
ALTER TABLE "projects" VALIDATE CONSTRAINT "projects_send_delay";
