CREATE TABLE "approvals" (
	"project_id" uuid NOT NULL,
	"campaign_id" uuid NOT NULL,
	"state" text NOT NULL,
	"fingerprint" text NOT NULL,
	"recipients" integer,
	"scheduled_for" timestamp (3) with time zone,
	"requested_by" uuid NOT NULL,
	"requested_at" timestamp (3) with time zone NOT NULL,
	"decided_by" uuid,
	"decided_at" timestamp (3) with time zone,
	"reason" text,
	CONSTRAINT "approvals_pkey" PRIMARY KEY("project_id","campaign_id"),
	CONSTRAINT "approvals_state" CHECK (state in ('REQUESTED', 'APPROVED', 'DECLINED')),
	CONSTRAINT "approvals_fingerprint" CHECK (char_length(fingerprint) between 1 and 64),
	CONSTRAINT "approvals_reason" CHECK (char_length(reason) <= 500),
	CONSTRAINT "approvals_decided" CHECK ((state = 'REQUESTED') = (decided_at is null) and (decided_at is null) = (decided_by is null)),
	CONSTRAINT "approvals_second" CHECK (state <> 'APPROVED' or decided_by <> requested_by)
);
--> statement-breakpoint
ALTER TABLE "invitations" DROP CONSTRAINT "invitations_role";
--> statement-breakpoint
ALTER TABLE "memberships" DROP CONSTRAINT "memberships_role";
--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "approval_required" boolean DEFAULT false NOT NULL;
--> statement-breakpoint
CREATE INDEX "approvals_requested" ON "approvals" USING btree ("project_id","requested_at","campaign_id") WHERE state = 'REQUESTED';
--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_role" CHECK (role in ('ADMIN', 'MEMBER', 'EDITOR', 'VIEWER')) NOT VALID;
--> statement-breakpoint
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_role" CHECK (role in ('OWNER', 'ADMIN', 'MEMBER', 'EDITOR', 'VIEWER')) NOT VALID;
--> statement-breakpoint
ALTER TABLE "invitations" VALIDATE CONSTRAINT "invitations_role";
--> statement-breakpoint
ALTER TABLE "memberships" VALIDATE CONSTRAINT "memberships_role";
