CREATE TABLE "dkim_rotations" (
	"domain_id" uuid PRIMARY KEY NOT NULL,
	"selector" text NOT NULL,
	"public_key" text NOT NULL,
	"private_key" text,
	"started_at" timestamp (3) with time zone NOT NULL,
	"switched_at" timestamp (3) with time zone,
	CONSTRAINT "dkim_rotations_next_can_sign" CHECK ((private_key is null) = (switched_at is not null)),
	CONSTRAINT "dkim_rotations_domain_id_domains_id_fk" FOREIGN KEY ("domain_id") REFERENCES "public"."domains"("id") ON DELETE cascade ON UPDATE no action
);
