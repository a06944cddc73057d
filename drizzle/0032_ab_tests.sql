CREATE TABLE "campaign_ab_tests" (
	"campaign_id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"variants" smallint NOT NULL,
	"share" smallint NOT NULL,
	"metric" text NOT NULL,
	"after_hours" smallint NOT NULL,
	"confidence" double precision NOT NULL,
	"otherwise" text NOT NULL,
	"due_at" timestamp (3) with time zone,
	"judged_at" timestamp (3) with time zone,
	"figures" jsonb,
	"winner" smallint,
	"decided_at" timestamp (3) with time zone,
	"decided_by" text,
	CONSTRAINT "campaign_ab_tests_split" CHECK (variants between 2 and 5 and share between 1 and 100),
	CONSTRAINT "campaign_ab_tests_metric" CHECK (metric in ('CLICKS', 'OPENS')),
	CONSTRAINT "campaign_ab_tests_otherwise" CHECK (otherwise in ('A', 'WAIT')),
	CONSTRAINT "campaign_ab_tests_decided_by" CHECK (decided_by in ('TEST', 'FALLBACK', 'PERSON')),
	CONSTRAINT "campaign_ab_tests_outcome" CHECK (case when winner is null then decided_at is null and decided_by is null
            else winner between 0 and variants - 1 and decided_at is not null and decided_by is not null and judged_at is not null end
          and (judged_at is null) = (figures is null)),
	CONSTRAINT "campaign_ab_tests_campaign_id_campaigns_id_fk" FOREIGN KEY ("campaign_id") REFERENCES "public"."campaigns"("id") ON DELETE cascade ON UPDATE no action
);
--> statement-breakpoint
CREATE TABLE "campaign_variants" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"campaign_id" uuid NOT NULL,
	"number" smallint NOT NULL,
	"subject" text,
	"from_name" text,
	"body" text,
	"joined_body" text,
	"editor" jsonb,
	CONSTRAINT "campaign_variants_campaign_id_campaign_ab_tests_campaign_id_fk" FOREIGN KEY ("campaign_id") REFERENCES "public"."campaign_ab_tests"("campaign_id") ON DELETE cascade ON UPDATE no action
);
--> statement-breakpoint
ALTER TABLE "campaign_slices" ADD COLUMN "is_tested" boolean DEFAULT false NOT NULL;
--> statement-breakpoint
ALTER TABLE "campaign_slices" ADD COLUMN "is_planned" boolean DEFAULT false NOT NULL;
--> statement-breakpoint
CREATE INDEX "campaign_ab_tests_due" ON "campaign_ab_tests" USING btree ("due_at") WHERE due_at is not null;
--> statement-breakpoint
CREATE UNIQUE INDEX "campaign_variants_number" ON "campaign_variants" USING btree ("campaign_id","number");
