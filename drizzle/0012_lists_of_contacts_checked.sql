-- waxwing: stepwise
-- More operations than before: what the older checks allowed, the newer ones do, too.
ALTER TABLE "contact_bulks" DROP CONSTRAINT IF EXISTS "contact_bulks_operation";--> statement-breakpoint
ALTER TABLE "contact_bulks" ADD CONSTRAINT "contact_bulks_operation" CHECK (operation in ('subscribe', 'unsubscribe', 'delete', 'add', 'remove')) NOT VALID;--> statement-breakpoint
ALTER TABLE "contact_bulks" VALIDATE CONSTRAINT "contact_bulks_operation";--> statement-breakpoint
ALTER TABLE "contact_bulks" DROP CONSTRAINT IF EXISTS "contact_bulks_segment";--> statement-breakpoint
ALTER TABLE "contact_bulks" ADD CONSTRAINT "contact_bulks_segment" CHECK (operation not in ('add', 'remove') or segment_id is not null) NOT VALID;--> statement-breakpoint
ALTER TABLE "contact_bulks" VALIDATE CONSTRAINT "contact_bulks_segment";
