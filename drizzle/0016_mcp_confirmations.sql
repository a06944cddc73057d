CREATE TABLE "mcp_confirmations" (
	"id" uuid NOT NULL,
	"project_id" uuid NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "mcp_confirmations_pkey" PRIMARY KEY("project_id","id")
);
--> statement-breakpoint
CREATE INDEX "mcp_confirmations_expires" ON "mcp_confirmations" USING btree ("project_id","expires_at");
