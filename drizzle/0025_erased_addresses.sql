CREATE TABLE "erased_addresses" (
	"project_id" uuid NOT NULL,
	"hash" "bytea" NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "erased_addresses_pkey" PRIMARY KEY("project_id","hash")
);
