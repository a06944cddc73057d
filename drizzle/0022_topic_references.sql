-- waxwing: stepwise
-- One more kind of thing that a condition names: what the older check allowed, the newer one does, too.
ALTER TABLE "segment_references" DROP CONSTRAINT IF EXISTS "segment_references_kind";--> statement-breakpoint
ALTER TABLE "segment_references" ADD CONSTRAINT "segment_references_kind" CHECK (kind in ('field', 'event', 'segment', 'topic')) NOT VALID;--> statement-breakpoint
ALTER TABLE "segment_references" VALIDATE CONSTRAINT "segment_references_kind";
