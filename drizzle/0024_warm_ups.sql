CREATE TABLE "warm_ups" (
	"id" uuid PRIMARY KEY NOT NULL,
	"domain_id" uuid NOT NULL,
	"first_day" integer NOT NULL,
	"factor" double precision NOT NULL,
	"target" integer NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	CONSTRAINT "warm_ups_domain_id_domains_id_fk" FOREIGN KEY ("domain_id") REFERENCES "public"."domains"("id") ON DELETE cascade ON UPDATE no action,
	CONSTRAINT "warm_ups_grows" CHECK (first_day between 1 and target and factor > 1)
);
--> statement-breakpoint
CREATE TABLE "warm_up_days" (
	"warm_up_id" uuid NOT NULL,
	"day" date NOT NULL,
	"step" integer NOT NULL,
	"allowance" integer NOT NULL,
	"reserved" integer NOT NULL,
	"sent" integer DEFAULT 0 NOT NULL,
	"transactional" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "warm_up_days_pkey" PRIMARY KEY("warm_up_id","day"),
	CONSTRAINT "warm_up_days_warm_up_id_warm_ups_id_fk" FOREIGN KEY ("warm_up_id") REFERENCES "public"."warm_ups"("id") ON DELETE cascade ON UPDATE no action,
	CONSTRAINT "warm_up_days_counts" CHECK (sent >= transactional and transactional >= 0)
);
--> statement-breakpoint
CREATE UNIQUE INDEX "warm_ups_domain" ON "warm_ups" USING btree ("domain_id");
