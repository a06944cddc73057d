CREATE TABLE "api_keys" (
	"id" uuid NOT NULL,
	"project_id" uuid NOT NULL,
	"name" text NOT NULL,
	"kind" text NOT NULL,
	"hash" text NOT NULL,
	"start" text NOT NULL,
	"scopes" jsonb NOT NULL,
	"domains" jsonb,
	"expires_at" timestamp (3) with time zone,
	"last_used_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "api_keys_pkey" PRIMARY KEY("project_id","id"),
	CONSTRAINT "api_keys_name" CHECK (char_length(name) between 1 and 100),
	CONSTRAINT "api_keys_kind" CHECK (kind in ('NAMED', 'SECRET', 'PUBLIC')),
	CONSTRAINT "api_keys_scopes" CHECK ((kind = 'NAMED') = (jsonb_array_length(scopes) > 0)),
	CONSTRAINT "api_keys_pair_expires" CHECK (kind = 'NAMED' or expires_at is not null)
);
--> statement-breakpoint
CREATE UNIQUE INDEX "api_keys_hash" ON "api_keys" USING btree ("hash");
