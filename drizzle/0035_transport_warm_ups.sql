ALTER TABLE "warm_ups" ALTER COLUMN "domain_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "warm_ups" ADD COLUMN "transport" text;
