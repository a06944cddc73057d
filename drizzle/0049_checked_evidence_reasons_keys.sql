-- waxwing: stepwise
ALTER TABLE "consent_changes" DROP CONSTRAINT IF EXISTS "consent_changes_evidence";--> statement-breakpoint
ALTER TABLE "consent_changes" ADD CONSTRAINT "consent_changes_evidence" CHECK (char_length(evidence) <= 500) NOT VALID;--> statement-breakpoint
ALTER TABLE "consent_changes" VALIDATE CONSTRAINT "consent_changes_evidence";--> statement-breakpoint
-- One reason more: what the older check allowed, the newer one does, too.
ALTER TABLE "suppressions" DROP CONSTRAINT IF EXISTS "suppressions_reason_known";--> statement-breakpoint
ALTER TABLE "suppressions" ADD CONSTRAINT "suppressions_reason_known" CHECK (reason in ('bounce', 'complaint', 'manual', 'repeated')) NOT VALID;--> statement-breakpoint
ALTER TABLE "suppressions" VALIDATE CONSTRAINT "suppressions_reason_known";--> statement-breakpoint
ALTER TABLE "contacts" DROP CONSTRAINT IF EXISTS "contacts_data_keys";--> statement-breakpoint
ALTER TABLE "contacts" ADD CONSTRAINT "contacts_data_keys" CHECK (octet_length(data::text) < 4000 or jsonb_array_length(jsonb_path_query_array(data, '$.keyvalue()')) <= coalesce(keys_allowed, 500)) NOT VALID;--> statement-breakpoint
ALTER TABLE "contacts" VALIDATE CONSTRAINT "contacts_data_keys";
