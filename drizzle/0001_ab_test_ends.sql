ALTER TABLE "campaign_ab_tests" ADD COLUMN "ends" double precision[] DEFAULT '{}' NOT NULL;
--> statement-breakpoint
UPDATE "campaign_ab_tests" SET "ends" = ARRAY(SELECT ceil(n * floor(4294967296 * "share" / 100.0) / "variants") FROM generate_series(1, "variants") n);
