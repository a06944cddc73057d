ALTER TABLE "emails" drop column "simulated";--> statement-breakpoint
ALTER TABLE "emails" ADD COLUMN "simulated" boolean GENERATED ALWAYS AS (to_email like '%@simulator.amazonses.com' or to_email like '%@simulator.example') STORED NOT NULL;
