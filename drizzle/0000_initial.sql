-- Stands before the generated statements of the initial migration: what drizzle-kit can't say and its statements need.
-- Both extensions come with PostgreSQL and are trusted, so the owner of a database may create them.
create extension if not exists pg_trgm;
create extension if not exists btree_gin;
-- A UUID v7 for rows that a statement makes by itself; `sequence` keeps those of one millisecond in order. PostgreSQL has its own
-- maker from version 18 on, which takes no time from outside.
create function uuid_v7(at timestamptz, sequence bigint) returns uuid language sql volatile parallel safe as $$
  select encode(
    int8send((floor(extract(epoch from at) * 1000)::bigint << 16) | 28672 | (sequence & 4095))
      || substring(uuid_send(gen_random_uuid()) from 9), 'hex')::uuid
$$;
--> statement-breakpoint
CREATE TABLE "payment_receipts" (
	"event_id" text PRIMARY KEY NOT NULL,
	"type" text NOT NULL,
	"invoice" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "payment_receipts_sizes" CHECK (char_length(event_id) <= 255 and char_length(type) <= 100)
);
--> statement-breakpoint
CREATE TABLE "project_billing" (
	"project_id" uuid PRIMARY KEY NOT NULL,
	"customer" text,
	"subscription" text,
	"currency" text,
	"limit_transactional" integer,
	"limit_campaigns" integer,
	"limit_workflows" integer,
	"limit_inbound" integer,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "project_billing_customer" UNIQUE("customer"),
	CONSTRAINT "project_billing_subscription" UNIQUE("subscription"),
	CONSTRAINT "project_billing_limits" CHECK (least(limit_transactional, limit_campaigns, limit_workflows, limit_inbound) > 0),
	CONSTRAINT "project_billing_ids" CHECK (char_length(customer) <= 255 and char_length(subscription) <= 255),
	CONSTRAINT "project_billing_subscribed" CHECK (subscription is null or customer is not null)
);
--> statement-breakpoint
CREATE TABLE "usage_months" (
	"project_id" uuid NOT NULL,
	"month" date NOT NULL,
	"source_type" text NOT NULL,
	"used" bigint DEFAULT 0 NOT NULL,
	"units" bigint DEFAULT 0 NOT NULL,
	"reported" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "usage_months_pkey" PRIMARY KEY("project_id","month","source_type")
);
--> statement-breakpoint
CREATE TABLE "usage_notices" (
	"project_id" uuid NOT NULL,
	"month" date NOT NULL,
	"topic" text NOT NULL,
	"kind" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "usage_notices_pkey" PRIMARY KEY("project_id","month","topic","kind"),
	CONSTRAINT "usage_notices_kind" CHECK (kind in ('warning', 'limit'))
);
--> statement-breakpoint
CREATE TABLE "usage_reports" (
	"id" uuid PRIMARY KEY NOT NULL,
	"customer" text NOT NULL,
	"units" bigint NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"asked_at" timestamp (3) with time zone,
	"reported_at" timestamp (3) with time zone,
	CONSTRAINT "usage_reports_units" CHECK (units > 0)
);
--> statement-breakpoint
CREATE TABLE "campaign_counts" (
	"project_id" uuid NOT NULL,
	"campaign_id" uuid NOT NULL,
	"settled" bigint DEFAULT 0 NOT NULL,
	"sent" bigint DEFAULT 0 NOT NULL,
	"delivered" bigint DEFAULT 0 NOT NULL,
	"opened" bigint DEFAULT 0 NOT NULL,
	"clicked" bigint DEFAULT 0 NOT NULL,
	"machine_opened" bigint DEFAULT 0 NOT NULL,
	"machine_clicked" bigint DEFAULT 0 NOT NULL,
	"bounced" bigint DEFAULT 0 NOT NULL,
	"complained" bigint DEFAULT 0 NOT NULL,
	"unsubscribed" bigint DEFAULT 0 NOT NULL,
	"failed" bigint DEFAULT 0 NOT NULL,
	"skipped" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "campaign_counts_pkey" PRIMARY KEY("project_id","campaign_id")
);
--> statement-breakpoint
CREATE TABLE "campaign_deltas" (
	"project_id" uuid NOT NULL,
	"campaign_id" uuid NOT NULL,
	"settled" integer DEFAULT 0 NOT NULL,
	"sent" integer DEFAULT 0 NOT NULL,
	"delivered" integer DEFAULT 0 NOT NULL,
	"opened" integer DEFAULT 0 NOT NULL,
	"clicked" integer DEFAULT 0 NOT NULL,
	"machine_opened" integer DEFAULT 0 NOT NULL,
	"machine_clicked" integer DEFAULT 0 NOT NULL,
	"bounced" integer DEFAULT 0 NOT NULL,
	"complained" integer DEFAULT 0 NOT NULL,
	"unsubscribed" integer DEFAULT 0 NOT NULL,
	"failed" integer DEFAULT 0 NOT NULL,
	"skipped" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "campaign_slices" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"campaign_id" uuid NOT NULL,
	"after" uuid NOT NULL,
	"up_to" uuid NOT NULL,
	"recipients" integer NOT NULL,
	"done_at" timestamp (3) with time zone,
	CONSTRAINT "campaign_slices_order" CHECK (after < up_to)
);
--> statement-breakpoint
CREATE TABLE "campaigns" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"name" text NOT NULL,
	"description" text,
	"subject" text NOT NULL,
	"body" text NOT NULL,
	"from_email" text NOT NULL,
	"from_name" text,
	"reply_to" text,
	"type" text NOT NULL,
	"status" text NOT NULL,
	"audience_type" text NOT NULL,
	"audience_condition" jsonb,
	"segment_id" uuid,
	"scheduled_for" timestamp (3) with time zone,
	"total_recipients" integer DEFAULT 0 NOT NULL,
	"sent_at" timestamp (3) with time zone,
	"finished_at" timestamp (3) with time zone,
	"paused_at" timestamp (3) with time zone,
	"paused_reason" text,
	"probe_at" timestamp (3) with time zone,
	"probes" integer DEFAULT 0 NOT NULL,
	"boundary" uuid,
	"expanded_to" uuid,
	"is_expanded" boolean DEFAULT false NOT NULL,
	"measured_from" timestamp (3) with time zone,
	"measured_base" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "campaigns_status" CHECK (status in ('DRAFT', 'SCHEDULED', 'SENDING', 'SENT', 'CANCELLED')),
	CONSTRAINT "campaigns_type" CHECK (type in ('TRANSACTIONAL', 'MARKETING', 'HEADLESS')),
	CONSTRAINT "campaigns_audience_type" CHECK (audience_type in ('ALL', 'SEGMENT', 'FILTERED')),
	CONSTRAINT "campaigns_segment_is_named" CHECK (audience_type <> 'SEGMENT' or segment_id is not null or status in ('DRAFT', 'SENT', 'CANCELLED')),
	CONSTRAINT "campaigns_condition_is_there" CHECK (audience_type <> 'FILTERED' or audience_condition is not null),
	CONSTRAINT "campaigns_scheduled_has_time" CHECK (status <> 'SCHEDULED' or scheduled_for is not null),
	CONSTRAINT "campaigns_started_has_time" CHECK (case status when 'DRAFT' then sent_at is null when 'SCHEDULED' then sent_at is null
            when 'CANCELLED' then true else sent_at is not null end),
	CONSTRAINT "campaigns_finished_has_time" CHECK ((status in ('SENT', 'CANCELLED')) = (finished_at is not null)),
	CONSTRAINT "campaigns_sent_is_expanded" CHECK (status <> 'SENT' or is_expanded),
	CONSTRAINT "campaigns_paused_is_sending" CHECK (paused_at is null or status = 'SENDING'),
	CONSTRAINT "campaigns_reason_is_paused" CHECK (paused_reason is null or paused_at is not null),
	CONSTRAINT "campaigns_probe_is_paused" CHECK (probe_at is null or paused_at is not null),
	CONSTRAINT "campaigns_total" CHECK (total_recipients >= 0)
);
--> statement-breakpoint
CREATE TABLE "contact_bulks" (
	"id" uuid NOT NULL,
	"project_id" uuid NOT NULL,
	"job_id" uuid NOT NULL,
	"operation" text NOT NULL,
	"waiting" uuid[] NOT NULL,
	"total" integer NOT NULL,
	"changed" integer NOT NULL,
	"unchanged" integer NOT NULL,
	"unknown" uuid[] NOT NULL,
	"failed_reason" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"finished_at" timestamp (3) with time zone,
	CONSTRAINT "contact_bulks_pkey" PRIMARY KEY("project_id","id"),
	CONSTRAINT "contact_bulks_operation" CHECK (operation in ('subscribe', 'unsubscribe', 'delete')),
	CONSTRAINT "contact_bulks_total" CHECK (total = changed + unchanged + cardinality(unknown) + cardinality(waiting))
);
--> statement-breakpoint
CREATE TABLE "contact_deltas" (
	"project_id" uuid NOT NULL,
	"contacts" integer NOT NULL,
	"subscribed" integer NOT NULL,
	"fields" jsonb
);
--> statement-breakpoint
CREATE TABLE "contact_field_totals" (
	"project_id" uuid NOT NULL,
	"name" text NOT NULL,
	"contacts" bigint NOT NULL,
	CONSTRAINT "contact_field_totals_pkey" PRIMARY KEY("project_id","name")
);
--> statement-breakpoint
CREATE TABLE "contact_fields" (
	"project_id" uuid NOT NULL,
	"name" text NOT NULL,
	"type" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "contact_fields_pkey" PRIMARY KEY("project_id","name"),
	CONSTRAINT "contact_fields_type" CHECK (type in ('string', 'number', 'boolean', 'date'))
);
--> statement-breakpoint
CREATE TABLE "contact_imports" (
	"id" uuid NOT NULL,
	"project_id" uuid NOT NULL,
	"job_id" uuid NOT NULL,
	"filename" text NOT NULL,
	"content" "bytea",
	"size" integer NOT NULL,
	"position" integer NOT NULL,
	"rows" integer NOT NULL,
	"created" integer NOT NULL,
	"updated" integer NOT NULL,
	"failed" integer NOT NULL,
	"faults" jsonb NOT NULL,
	"left_out" integer NOT NULL,
	"left_out_rows" jsonb NOT NULL,
	"failed_reason" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"finished_at" timestamp (3) with time zone,
	CONSTRAINT "contact_imports_pkey" PRIMARY KEY("project_id","id"),
	CONSTRAINT "contact_imports_content" CHECK ((content is null) = (finished_at is not null)),
	CONSTRAINT "contact_imports_rows" CHECK (rows = created + updated + failed)
);
--> statement-breakpoint
CREATE TABLE "contact_totals" (
	"project_id" uuid PRIMARY KEY NOT NULL,
	"contacts" bigint NOT NULL,
	"subscribed" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "contacts" (
	"id" uuid NOT NULL,
	"project_id" uuid NOT NULL,
	"email" text NOT NULL,
	"subscribed" boolean NOT NULL,
	"snoozed_until" timestamp (3) with time zone,
	"opted_out_at" timestamp (3) with time zone,
	"data" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "contacts_pkey" PRIMARY KEY("project_id","id"),
	CONSTRAINT "contacts_email" CHECK (char_length(email) between 3 and 254),
	CONSTRAINT "contacts_snoozed_is_unsubscribed" CHECK (snoozed_until is null or not subscribed),
	CONSTRAINT "contacts_opted_out_is_unsubscribed" CHECK (opted_out_at is null or not (subscribed or snoozed_until is not null)),
	CONSTRAINT "contacts_data_is_object" CHECK (jsonb_typeof(data) = 'object'),
	CONSTRAINT "contacts_data_size" CHECK (octet_length(data::text) <= 65536)
);
--> statement-breakpoint
CREATE TABLE "domains" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"domain" text NOT NULL,
	"verified" boolean NOT NULL,
	"sandbox" boolean NOT NULL,
	"selector" text NOT NULL,
	"public_key" text NOT NULL,
	"private_key" text NOT NULL,
	"dkim_tokens" jsonb,
	"dkim_zone" text,
	"contested" boolean DEFAULT false NOT NULL,
	"dkim_status" text NOT NULL,
	"spf_status" text NOT NULL,
	"dmarc_status" text NOT NULL,
	"pending_since" timestamp (3) with time zone,
	"checked_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "domains_name" CHECK (char_length(domain) between 3 and 253 and domain = lower(domain)),
	CONSTRAINT "domains_tokens_have_zone" CHECK ((dkim_tokens is null) = (dkim_zone is null)),
	CONSTRAINT "domains_pending_since" CHECK (verified = (pending_since is null)),
	CONSTRAINT "domains_sandbox_is_verified" CHECK (verified or not sandbox),
	CONSTRAINT "domains_statuses" CHECK (dkim_status in ('pending', 'verified', 'failed') and spf_status in ('pending', 'verified', 'failed') and dmarc_status in ('pending', 'verified', 'failed'))
);
--> statement-breakpoint
CREATE TABLE "attachments" (
	"set_id" uuid NOT NULL,
	"position" integer NOT NULL,
	"project_id" uuid NOT NULL,
	"filename" text NOT NULL,
	"content_type" text NOT NULL,
	"content_id" text,
	"disposition" text NOT NULL,
	"size" integer NOT NULL,
	"content" "bytea" NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "attachments_set_id_position_pk" PRIMARY KEY("set_id","position")
);
--> statement-breakpoint
CREATE TABLE "email_attempts" (
	"email_id" uuid NOT NULL,
	"attempt" integer NOT NULL,
	"project_id" uuid NOT NULL,
	"transport" text NOT NULL,
	"outcome" text NOT NULL,
	"stage" text,
	"code" integer,
	"enhanced" text,
	"response" text NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"finished_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "email_attempts_pkey" PRIMARY KEY("project_id","email_id","attempt")
);
--> statement-breakpoint
CREATE TABLE "email_day_deltas" (
	"project_id" uuid NOT NULL,
	"hour" timestamp (3) with time zone NOT NULL,
	"source_type" text NOT NULL,
	"is_simulated" boolean NOT NULL,
	"created" integer DEFAULT 0 NOT NULL,
	"sent" integer DEFAULT 0 NOT NULL,
	"delivered" integer DEFAULT 0 NOT NULL,
	"opened" integer DEFAULT 0 NOT NULL,
	"clicked" integer DEFAULT 0 NOT NULL,
	"bounced" integer DEFAULT 0 NOT NULL,
	"complained" integer DEFAULT 0 NOT NULL,
	"failed" integer DEFAULT 0 NOT NULL,
	"used" integer DEFAULT 0 NOT NULL,
	"units" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "email_days" (
	"project_id" uuid NOT NULL,
	"day" date NOT NULL,
	"source_type" text NOT NULL,
	"is_simulated" boolean NOT NULL,
	"created" bigint DEFAULT 0 NOT NULL,
	"sent" bigint DEFAULT 0 NOT NULL,
	"delivered" bigint DEFAULT 0 NOT NULL,
	"opened" bigint DEFAULT 0 NOT NULL,
	"clicked" bigint DEFAULT 0 NOT NULL,
	"bounced" bigint DEFAULT 0 NOT NULL,
	"complained" bigint DEFAULT 0 NOT NULL,
	"failed" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "email_days_pkey" PRIMARY KEY("project_id","day","source_type","is_simulated")
);
--> statement-breakpoint
CREATE TABLE "email_hours" (
	"project_id" uuid NOT NULL,
	"hour" timestamp (3) with time zone NOT NULL,
	"created" bigint DEFAULT 0 NOT NULL,
	"bounced" bigint DEFAULT 0 NOT NULL,
	"complained" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "email_hours_pkey" PRIMARY KEY("project_id","hour")
);
--> statement-breakpoint
CREATE TABLE "email_troubles" (
	"project_id" uuid NOT NULL,
	"email_id" uuid NOT NULL,
	"kind" text NOT NULL,
	CONSTRAINT "email_troubles_pkey" PRIMARY KEY("project_id","email_id")
);
--> statement-breakpoint
CREATE TABLE "emails" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"contact_id" uuid NOT NULL,
	"source_type" text NOT NULL,
	"mail_class" text NOT NULL,
	"template_id" uuid,
	"campaign_id" uuid,
	"workflow_execution_id" uuid,
	"hops" smallint,
	"to_email" text NOT NULL,
	"to_name" text,
	"from_email" text NOT NULL,
	"from_name" text,
	"reply_to" text,
	"subject" text NOT NULL,
	"html" text NOT NULL,
	"text" text NOT NULL,
	"headers" jsonb NOT NULL,
	"tracking" boolean,
	"variables" jsonb,
	"attachment_set" uuid,
	"message_id" text NOT NULL,
	"provider_id" text,
	"status" text NOT NULL,
	"error" text,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_attempt_at" timestamp (3) with time zone,
	"tried_since" timestamp (3) with time zone,
	"sent_at" timestamp (3) with time zone,
	"delivered_at" timestamp (3) with time zone,
	"opened_at" timestamp (3) with time zone,
	"clicked_at" timestamp (3) with time zone,
	"bounced_at" timestamp (3) with time zone,
	"complained_at" timestamp (3) with time zone,
	"soft_bounced_at" timestamp (3) with time zone,
	"opens" integer DEFAULT 0 NOT NULL,
	"clicks" integer DEFAULT 0 NOT NULL,
	"own_opens" integer DEFAULT 0 NOT NULL,
	"own_clicks" integer DEFAULT 0 NOT NULL,
	"provider_opens" integer DEFAULT 0 NOT NULL,
	"provider_clicks" integer DEFAULT 0 NOT NULL,
	"machine_opens" integer DEFAULT 0 NOT NULL,
	"machine_clicks" integer DEFAULT 0 NOT NULL,
	"simulated" boolean GENERATED ALWAYS AS (to_email like '%@simulator.amazonses.com') STORED NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "emails_status" CHECK (status in ('PENDING', 'SENDING', 'SENT', 'DELIVERED', 'OPENED', 'CLICKED', 'BOUNCED', 'COMPLAINED', 'FAILED', 'SKIPPED', 'RECEIVED')),
	CONSTRAINT "emails_sent_at" CHECK (status not in ('SENT', 'DELIVERED', 'OPENED', 'CLICKED') or sent_at is not null),
	CONSTRAINT "emails_error" CHECK (status not in ('FAILED', 'BOUNCED', 'SKIPPED') or error is not null)
);
--> statement-breakpoint
CREATE TABLE "retention_marks" (
	"name" text PRIMARY KEY NOT NULL,
	"done_to" uuid NOT NULL
);
--> statement-breakpoint
CREATE TABLE "send_paces" (
	"project_id" uuid PRIMARY KEY NOT NULL,
	"spent_until" double precision NOT NULL,
	"urgent_until" double precision DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "event_deltas" (
	"project_id" uuid NOT NULL,
	"name" text NOT NULL,
	"day" date NOT NULL,
	"count" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "event_listeners" (
	"project_id" uuid NOT NULL,
	"name" text NOT NULL,
	"listener_id" uuid NOT NULL,
	CONSTRAINT "event_listeners_pkey" PRIMARY KEY("project_id","name","listener_id")
);
--> statement-breakpoint
CREATE TABLE "event_name_totals" (
	"project_id" uuid NOT NULL,
	"name" text NOT NULL,
	"count" bigint NOT NULL,
	CONSTRAINT "event_name_totals_pkey" PRIMARY KEY("project_id","name")
);
--> statement-breakpoint
CREATE TABLE "event_totals" (
	"project_id" uuid NOT NULL,
	"name" text NOT NULL,
	"day" date NOT NULL,
	"count" bigint NOT NULL,
	CONSTRAINT "event_totals_pkey" PRIMARY KEY("project_id","name","day")
);
--> statement-breakpoint
CREATE TABLE "event_transients" (
	"project_id" uuid NOT NULL,
	"event_id" uuid NOT NULL,
	"data" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "event_transients_pkey" PRIMARY KEY("project_id","event_id")
);
--> statement-breakpoint
CREATE TABLE "events" (
	"id" uuid NOT NULL,
	"project_id" uuid NOT NULL,
	"name" text NOT NULL,
	"contact_id" uuid,
	"email_id" uuid,
	"data" jsonb,
	"hops" smallint,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "events_pkey" PRIMARY KEY("project_id","id"),
	CONSTRAINT "events_name_length" CHECK (char_length(name) between 1 and 255)
);
--> statement-breakpoint
CREATE TABLE "feedback_receipts" (
	"receiver" text NOT NULL,
	"key" text NOT NULL,
	"status" text NOT NULL,
	"claim" uuid NOT NULL,
	"claimed_at" timestamp (3) with time zone NOT NULL,
	"tries" integer NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "feedback_receipts_pkey" PRIMARY KEY("receiver","key"),
	CONSTRAINT "feedback_receipts_status" CHECK (status in ('PROCESSING', 'COMPLETED', 'FAILED')),
	CONSTRAINT "feedback_receipts_receiver" CHECK (receiver in ('sns', 'webhook', 'dsn')),
	CONSTRAINT "feedback_receipts_key" CHECK (char_length(key) between 1 and 300)
);
--> statement-breakpoint
CREATE TABLE "tracking_hits" (
	"id" uuid NOT NULL,
	"project_id" uuid NOT NULL,
	"email_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"link" text NOT NULL,
	"client" text NOT NULL,
	"user_agent" text NOT NULL,
	"hits" integer NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "tracking_hits_pkey" PRIMARY KEY("project_id","email_id","id"),
	CONSTRAINT "tracking_hits_kind" CHECK (kind in ('open', 'click', 'trap', 'probe')),
	CONSTRAINT "tracking_hits_hits" CHECK (hits > 0)
);
--> statement-breakpoint
CREATE TABLE "tracking_suspects" (
	"project_id" uuid NOT NULL,
	"email_id" uuid NOT NULL,
	"client" text NOT NULL,
	"until" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "tracking_suspects_pkey" PRIMARY KEY("project_id","email_id","client")
);
--> statement-breakpoint
CREATE TABLE "system_mails" (
	"id" uuid PRIMARY KEY NOT NULL,
	"to_email" text NOT NULL,
	"subject" text NOT NULL,
	"content_sealed" text,
	"status" text NOT NULL,
	"attempts" integer NOT NULL,
	"response" text,
	"sent_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "system_mails_status" CHECK (status in ('PENDING', 'SENT', 'FAILED')),
	CONSTRAINT "system_mails_content" CHECK ((status = 'PENDING') = (content_sealed is not null))
);
--> statement-breakpoint
CREATE TABLE "audit_log" (
	"id" uuid NOT NULL,
	"project_id" uuid NOT NULL,
	"actor" text NOT NULL,
	"action" text NOT NULL,
	"subject" text,
	"details" jsonb,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "audit_log_pkey" PRIMARY KEY("project_id","id"),
	CONSTRAINT "audit_log_actor" CHECK (char_length(actor) between 1 and 36),
	CONSTRAINT "audit_log_subject" CHECK (char_length(subject) <= 300),
	CONSTRAINT "audit_log_details" CHECK (octet_length(details::text) <= 16384)
);
--> statement-breakpoint
CREATE TABLE "invitations" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"email" text NOT NULL,
	"role" text NOT NULL,
	"token_hash" text NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "invitations_role" CHECK (role in ('ADMIN', 'MEMBER'))
);
--> statement-breakpoint
CREATE TABLE "memberships" (
	"project_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"role" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "memberships_project_id_user_id_pk" PRIMARY KEY("project_id","user_id"),
	CONSTRAINT "memberships_role" CHECK (role in ('OWNER', 'ADMIN', 'MEMBER'))
);
--> statement-breakpoint
CREATE TABLE "projects" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"disabled" boolean DEFAULT false NOT NULL,
	"disabled_reason" text,
	"tracking" text DEFAULT 'ENABLED' NOT NULL,
	"language" text DEFAULT 'en' NOT NULL,
	"default_sender" jsonb,
	"public_key_hash" text NOT NULL,
	"secret_key_hash" text NOT NULL,
	"public_key_sealed" text NOT NULL,
	"secret_key_sealed" text NOT NULL,
	"webhook_secret_sealed" text NOT NULL,
	"closing" text,
	"closed_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "projects_name" CHECK (char_length(name) between 1 and 100),
	CONSTRAINT "projects_tracking" CHECK (tracking in ('ENABLED', 'DISABLED', 'MARKETING_ONLY')),
	CONSTRAINT "projects_disabled_reason" CHECK (disabled_reason in ('PAYMENT_FAILED', 'EMAIL_REPUTATION', 'PHISHING_DETECTED', 'MANUAL')),
	CONSTRAINT "projects_closing" CHECK (closing in ('RESET', 'DELETE')),
	CONSTRAINT "projects_closed_has_time" CHECK ((closing is null) = (closed_at is null)),
	CONSTRAINT "projects_reason_means_disabled" CHECK (disabled or disabled_reason is null)
);
--> statement-breakpoint
CREATE TABLE "project_suspensions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"reason" text NOT NULL,
	"findings" jsonb NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"lifted_at" timestamp (3) with time zone,
	CONSTRAINT "project_suspensions_reason" CHECK (reason in ('PAYMENT_FAILED', 'EMAIL_REPUTATION', 'PHISHING_DETECTED', 'MANUAL')),
	CONSTRAINT "project_suspensions_lifted_later" CHECK (lifted_at >= at)
);
--> statement-breakpoint
CREATE TABLE "segment_members" (
	"project_id" uuid NOT NULL,
	"segment_id" uuid NOT NULL,
	"contact_id" uuid NOT NULL,
	"entered_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "segment_members_pkey" PRIMARY KEY("project_id","segment_id","contact_id")
);
--> statement-breakpoint
CREATE TABLE "segment_references" (
	"project_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"name" text NOT NULL,
	"segment_id" uuid NOT NULL,
	CONSTRAINT "segment_references_pkey" PRIMARY KEY("project_id","kind","name","segment_id"),
	CONSTRAINT "segment_references_kind" CHECK (kind in ('field', 'event', 'segment'))
);
--> statement-breakpoint
CREATE TABLE "segments" (
	"id" uuid NOT NULL,
	"project_id" uuid NOT NULL,
	"name" text NOT NULL,
	"description" text,
	"type" text NOT NULL,
	"condition" jsonb,
	"track_membership" boolean NOT NULL,
	"member_count" integer NOT NULL,
	"counted_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "segments_pkey" PRIMARY KEY("project_id","id"),
	CONSTRAINT "segments_type" CHECK (type in ('DYNAMIC', 'STATIC')),
	CONSTRAINT "segments_condition" CHECK ((type = 'DYNAMIC') = (condition is not null)),
	CONSTRAINT "segments_name" CHECK (char_length(name) between 1 and 100),
	CONSTRAINT "segments_description" CHECK (char_length(description) <= 500),
	CONSTRAINT "segments_member_count" CHECK (member_count >= 0)
);
--> statement-breakpoint
CREATE TABLE "suppressions" (
	"project_id" uuid NOT NULL,
	"email" text NOT NULL,
	"reason" text NOT NULL,
	"source" text NOT NULL,
	"email_id" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "suppressions_project_id_email_pk" PRIMARY KEY("project_id","email"),
	CONSTRAINT "suppressions_reason_known" CHECK (reason in ('bounce', 'complaint', 'manual'))
);
--> statement-breakpoint
CREATE TABLE "template_strikes" (
	"project_id" uuid NOT NULL,
	"hash" text NOT NULL,
	"count" integer NOT NULL,
	"last_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "template_strikes_project_id_hash_pk" PRIMARY KEY("project_id","hash")
);
--> statement-breakpoint
CREATE TABLE "templates" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"name" text NOT NULL,
	"description" text,
	"subject" text NOT NULL,
	"body" text NOT NULL,
	"from_email" text NOT NULL,
	"from_name" text,
	"reply_to" text,
	"type" text NOT NULL,
	"tracking" boolean,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "templates_type" CHECK (type in ('TRANSACTIONAL', 'MARKETING', 'HEADLESS'))
);
--> statement-breakpoint
CREATE TABLE "upload_totals" (
	"project_id" uuid PRIMARY KEY NOT NULL,
	"bytes" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "account_attempts" (
	"kind" text NOT NULL,
	"subject" text NOT NULL,
	"failures" integer NOT NULL,
	"closes_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "account_attempts_kind_subject_pk" PRIMARY KEY("kind","subject"),
	CONSTRAINT "account_attempts_kind" CHECK (kind in ('address', 'client', 'reset', 'verification', 'invitation')),
	CONSTRAINT "account_attempts_failures" CHECK (failures >= 0)
);
--> statement-breakpoint
CREATE TABLE "account_tokens" (
	"token_hash" text PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"user_id" uuid NOT NULL,
	"mailed" boolean NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "account_tokens_kind" CHECK (kind in ('verify', 'reset'))
);
--> statement-breakpoint
CREATE TABLE "ended_sessions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "setup_tokens" (
	"token_hash" text PRIMARY KEY NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" uuid PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"password_hash" text,
	"type" text NOT NULL,
	"email_verified" boolean NOT NULL,
	"must_verify" boolean DEFAULT false NOT NULL,
	"session_version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "users_type" CHECK (type in ('PASSWORD', 'GITHUB_OAUTH', 'GOOGLE_OAUTH')),
	CONSTRAINT "users_must_verify" CHECK (not (must_verify and email_verified)),
	CONSTRAINT "users_password" CHECK ((type = 'PASSWORD') = (password_hash is not null))
);
--> statement-breakpoint
CREATE TABLE "idempotency_keys" (
	"project_id" uuid NOT NULL,
	"by_public_key" boolean NOT NULL,
	"key" text NOT NULL,
	"method" text NOT NULL,
	"path" text NOT NULL,
	"status_code" integer NOT NULL,
	"result" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "idempotency_keys_project_id_by_public_key_key_pk" PRIMARY KEY("project_id","by_public_key","key")
);
--> statement-breakpoint
CREATE TABLE "workflow_references" (
	"project_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"name" text NOT NULL,
	"workflow_id" uuid NOT NULL,
	CONSTRAINT "workflow_references_pkey" PRIMARY KEY("project_id","kind","name","workflow_id")
);
--> statement-breakpoint
CREATE TABLE "workflow_snapshots" (
	"id" uuid NOT NULL,
	"project_id" uuid NOT NULL,
	"workflow_id" uuid NOT NULL,
	"stamp" text NOT NULL,
	"graph" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "workflow_snapshots_pkey" PRIMARY KEY("project_id","id")
);
--> statement-breakpoint
CREATE TABLE "workflow_steps" (
	"id" uuid NOT NULL,
	"project_id" uuid NOT NULL,
	"workflow_id" uuid NOT NULL,
	"type" text NOT NULL,
	"name" text NOT NULL,
	"position" jsonb NOT NULL,
	"config" jsonb NOT NULL,
	"template_id" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "workflow_steps_pkey" PRIMARY KEY("project_id","workflow_id","id"),
	CONSTRAINT "workflow_steps_name" CHECK (char_length(name) between 1 and 300),
	CONSTRAINT "workflow_steps_type" CHECK (type in ('TRIGGER', 'SEND_EMAIL', 'DELAY', 'WAIT_FOR_EVENT', 'CONDITION', 'WEBHOOK', 'UPDATE_CONTACT', 'EXIT'))
);
--> statement-breakpoint
CREATE TABLE "workflow_transitions" (
	"id" uuid NOT NULL,
	"project_id" uuid NOT NULL,
	"workflow_id" uuid NOT NULL,
	"from_step_id" uuid NOT NULL,
	"to_step_id" uuid NOT NULL,
	"branch" text,
	"wait_outcome" text,
	"priority" integer NOT NULL,
	"automatic" boolean NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "workflow_transitions_pkey" PRIMARY KEY("project_id","workflow_id","id"),
	CONSTRAINT "workflow_transitions_ends" CHECK (from_step_id <> to_step_id),
	CONSTRAINT "workflow_transitions_outcome" CHECK (wait_outcome in ('EVENT', 'TIMEOUT'))
);
--> statement-breakpoint
CREATE TABLE "workflows" (
	"id" uuid NOT NULL,
	"project_id" uuid NOT NULL,
	"name" text NOT NULL,
	"description" text,
	"enabled" boolean NOT NULL,
	"trigger_type" text NOT NULL,
	"trigger_config" jsonb,
	"event_name" text,
	"allow_reentry" boolean NOT NULL,
	"max_starts_per_hour" integer DEFAULT 100 NOT NULL,
	"revision" integer NOT NULL,
	"next_run_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "workflows_pkey" PRIMARY KEY("project_id","id"),
	CONSTRAINT "workflows_name" CHECK (char_length(name) between 1 and 100),
	CONSTRAINT "workflows_trigger_type" CHECK (trigger_type in ('EVENT', 'MANUAL', 'SCHEDULE')),
	CONSTRAINT "workflows_max_starts" CHECK (max_starts_per_hour between 1 and 10000),
	CONSTRAINT "workflows_event_name" CHECK ((trigger_type = 'EVENT') = (event_name is not null)),
	CONSTRAINT "workflows_next_run" CHECK (next_run_at is null or (enabled and trigger_type = 'SCHEDULE'))
);
--> statement-breakpoint
CREATE TABLE "workflow_active" (
	"project_id" uuid NOT NULL,
	"workflow_id" uuid NOT NULL,
	"status" text NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"execution_id" uuid NOT NULL,
	CONSTRAINT "workflow_active_pkey" PRIMARY KEY("project_id","workflow_id","status","started_at","execution_id")
);
--> statement-breakpoint
CREATE TABLE "workflow_call_attempts" (
	"project_id" uuid NOT NULL,
	"execution_id" uuid NOT NULL,
	"step_id" uuid NOT NULL,
	"attempt" integer NOT NULL,
	"url" text NOT NULL,
	"outcome" text NOT NULL,
	"status_code" integer,
	"error" text,
	"response" text,
	"started_at" timestamp (3) with time zone NOT NULL,
	"finished_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "workflow_call_attempts_pkey" PRIMARY KEY("project_id","execution_id","step_id","attempt")
);
--> statement-breakpoint
CREATE TABLE "workflow_calls" (
	"id" uuid NOT NULL,
	"project_id" uuid NOT NULL,
	"execution_id" uuid NOT NULL,
	"step_id" uuid NOT NULL,
	"version" integer NOT NULL,
	"url" text NOT NULL,
	"method" text NOT NULL,
	"headers" jsonb NOT NULL,
	"body" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "workflow_calls_pkey" PRIMARY KEY("project_id","id")
);
--> statement-breakpoint
CREATE TABLE "workflow_counts" (
	"project_id" uuid NOT NULL,
	"workflow_id" uuid NOT NULL,
	"status" text NOT NULL,
	"executions" bigint NOT NULL,
	CONSTRAINT "workflow_counts_pkey" PRIMARY KEY("project_id","workflow_id","status")
);
--> statement-breakpoint
CREATE TABLE "workflow_deltas" (
	"project_id" uuid NOT NULL,
	"workflow_id" uuid NOT NULL,
	"status" text NOT NULL,
	"executions" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "workflow_executions" (
	"id" uuid NOT NULL,
	"project_id" uuid NOT NULL,
	"workflow_id" uuid NOT NULL,
	"snapshot_id" uuid NOT NULL,
	"contact_id" uuid NOT NULL,
	"source_event_id" uuid,
	"status" text NOT NULL,
	"current_step_id" uuid,
	"is_inside" boolean NOT NULL,
	"exit_reason" text,
	"context" jsonb,
	"version" integer NOT NULL,
	"hops" smallint DEFAULT 0 NOT NULL,
	"once" boolean NOT NULL,
	"wait_event" text,
	"wait_from" uuid,
	"wake_at" timestamp (3) with time zone,
	"received" jsonb,
	"started_at" timestamp (3) with time zone NOT NULL,
	"completed_at" timestamp (3) with time zone,
	"outcome" text GENERATED ALWAYS AS (case when completed_at is not null then status end) STORED,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "workflow_executions_pkey" PRIMARY KEY("project_id","id"),
	CONSTRAINT "workflow_executions_status" CHECK (status in ('RUNNING', 'WAITING', 'COMPLETED', 'EXITED', 'FAILED', 'CANCELLED')),
	CONSTRAINT "workflow_executions_completed" CHECK ((completed_at is null) = (status in ('RUNNING', 'WAITING'))),
	CONSTRAINT "workflow_executions_wait" CHECK (status = 'WAITING' or (wait_event is null and wake_at is null))
);
--> statement-breakpoint
CREATE TABLE "workflow_step_executions" (
	"id" uuid NOT NULL,
	"project_id" uuid NOT NULL,
	"execution_id" uuid NOT NULL,
	"step_id" uuid NOT NULL,
	"status" text NOT NULL,
	"execute_after" timestamp (3) with time zone,
	"output" jsonb,
	"error" text,
	"started_at" timestamp (3) with time zone,
	"completed_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "workflow_step_executions_pkey" PRIMARY KEY("project_id","execution_id","step_id"),
	CONSTRAINT "workflow_step_executions_status" CHECK (status in ('PENDING', 'SCHEDULED', 'WAITING', 'RUNNING', 'COMPLETED', 'SKIPPED', 'FAILED'))
);
--> statement-breakpoint
CREATE TABLE "workflow_timers" (
	"project_id" uuid NOT NULL,
	"wake_at" timestamp (3) with time zone NOT NULL,
	"execution_id" uuid NOT NULL,
	CONSTRAINT "workflow_timers_pkey" PRIMARY KEY("project_id","wake_at","execution_id")
);
--> statement-breakpoint
CREATE TABLE "instance" (
	"id" integer PRIMARY KEY NOT NULL,
	"signed" text NOT NULL,
	"sealed" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"database_id" uuid NOT NULL,
	"home" text,
	"generation" bigint NOT NULL,
	"paused_at" timestamp (3) with time zone,
	"paused_because" text,
	CONSTRAINT "instance_single" CHECK (id = 1),
	CONSTRAINT "instance_paused" CHECK ((paused_at is null) = (paused_because is null))
);
--> statement-breakpoint
CREATE TABLE "jobs" (
	"id" uuid PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"args" jsonb NOT NULL,
	"band" text NOT NULL,
	"state" text NOT NULL,
	"run_at" timestamp (3) with time zone NOT NULL,
	"attempt" integer NOT NULL,
	"max_attempts" integer NOT NULL,
	"locked_by" uuid,
	"unique_key" text,
	"rerun" boolean DEFAULT false NOT NULL,
	"last_error" text,
	"project_id" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	"finished_at" timestamp (3) with time zone,
	CONSTRAINT "jobs_band" CHECK (band in ('transactional', 'system', 'workflow', 'bulk')),
	CONSTRAINT "jobs_state" CHECK (state in ('queued', 'running', 'failed', 'discarded')),
	CONSTRAINT "jobs_running_is_locked" CHECK ((state = 'running') = (locked_by is not null)),
	CONSTRAINT "jobs_finished_has_time" CHECK ((state in ('failed', 'discarded')) = (finished_at is not null)),
	CONSTRAINT "jobs_rerun_is_running" CHECK (not rerun or state = 'running'),
	CONSTRAINT "jobs_attempts" CHECK (attempt >= 0 and max_attempts >= 1 and (state <> 'running' or attempt >= 1)),
	CONSTRAINT "jobs_unique_key_length" CHECK (char_length(unique_key) between 1 and 300)
);
--> statement-breakpoint
CREATE TABLE "runners" (
	"id" uuid PRIMARY KEY NOT NULL,
	"lease_until" timestamp (3) with time zone NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "schedules" (
	"name" text PRIMARY KEY NOT NULL,
	"last_tick" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "rate_budgets" (
	"holder_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"slots" jsonb NOT NULL,
	"granted" bigint NOT NULL,
	"newest_slot" bigint NOT NULL,
	CONSTRAINT "rate_budgets_holder_id_kind_pk" PRIMARY KEY("holder_id","kind"),
	CONSTRAINT "rate_budgets_kind" CHECK (kind in ('project', 'public', 'user'))
);
--> statement-breakpoint
ALTER TABLE "project_billing" ADD CONSTRAINT "project_billing_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "campaign_slices" ADD CONSTRAINT "campaign_slices_campaign_id_campaigns_id_fk" FOREIGN KEY ("campaign_id") REFERENCES "public"."campaigns"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "campaigns" ADD CONSTRAINT "campaigns_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "domains" ADD CONSTRAINT "domains_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "project_suspensions" ADD CONSTRAINT "project_suspensions_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "templates" ADD CONSTRAINT "templates_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account_tokens" ADD CONSTRAINT "account_tokens_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "payment_receipts_invoice" ON "payment_receipts" USING btree ("invoice","type") WHERE invoice is not null;--> statement-breakpoint
CREATE INDEX "payment_receipts_age" ON "payment_receipts" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "usage_months_unreported" ON "usage_months" USING btree ("project_id") WHERE units > reported;--> statement-breakpoint
CREATE INDEX "usage_months_month" ON "usage_months" USING btree ("month");--> statement-breakpoint
CREATE INDEX "usage_reports_done" ON "usage_reports" USING btree ("reported_at");--> statement-breakpoint
CREATE INDEX "campaign_deltas_campaign" ON "campaign_deltas" USING btree ("project_id","campaign_id");--> statement-breakpoint
CREATE UNIQUE INDEX "campaign_slices_place" ON "campaign_slices" USING btree ("campaign_id","after");--> statement-breakpoint
CREATE INDEX "campaign_slices_open" ON "campaign_slices" USING btree ("campaign_id","id") WHERE done_at is null;--> statement-breakpoint
CREATE INDEX "campaigns_project_created" ON "campaigns" USING btree ("project_id","created_at" DESC NULLS FIRST,"id" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "campaigns_due" ON "campaigns" USING btree ("scheduled_for") WHERE status = 'SCHEDULED';--> statement-breakpoint
CREATE INDEX "campaigns_upcoming" ON "campaigns" USING btree ("project_id","scheduled_for") WHERE status = 'SCHEDULED';--> statement-breakpoint
CREATE INDEX "campaigns_probe" ON "campaigns" USING btree ("probe_at") WHERE probe_at is not null;--> statement-breakpoint
CREATE INDEX "campaigns_segment" ON "campaigns" USING btree ("project_id","segment_id") WHERE segment_id is not null;--> statement-breakpoint
CREATE INDEX "contact_bulks_created" ON "contact_bulks" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "contact_deltas_project" ON "contact_deltas" USING btree ("project_id");--> statement-breakpoint
CREATE INDEX "contact_imports_created" ON "contact_imports" USING btree ("created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "contacts_project_email" ON "contacts" USING btree ("project_id","email");--> statement-breakpoint
CREATE INDEX "contacts_email_search" ON "contacts" USING gin ("project_id","email" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "contacts_snoozed" ON "contacts" USING btree ("snoozed_until") WHERE snoozed_until is not null;--> statement-breakpoint
CREATE INDEX "contacts_snoozed_project" ON "contacts" USING btree ("project_id","id") WHERE snoozed_until is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "domains_project_domain" ON "domains" USING btree ("project_id","domain");--> statement-breakpoint
CREATE UNIQUE INDEX "domains_holder" ON "domains" USING btree ("domain") WHERE verified and not sandbox;--> statement-breakpoint
CREATE INDEX "domains_pending" ON "domains" USING btree ("pending_since") WHERE not verified;--> statement-breakpoint
CREATE INDEX "attachments_project" ON "attachments" USING btree ("project_id","created_at");--> statement-breakpoint
CREATE INDEX "email_day_deltas_project" ON "email_day_deltas" USING btree ("project_id","hour");--> statement-breakpoint
CREATE INDEX "email_hours_age" ON "email_hours" USING btree ("hour");--> statement-breakpoint
CREATE INDEX "email_troubles_kind" ON "email_troubles" USING btree ("project_id","kind","email_id");--> statement-breakpoint
CREATE INDEX "emails_project_created" ON "emails" USING btree ("project_id","created_at" DESC NULLS FIRST,"id" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "emails_contact" ON "emails" USING btree ("project_id","contact_id","id" DESC NULLS FIRST);--> statement-breakpoint
CREATE UNIQUE INDEX "emails_campaign" ON "emails" USING btree ("project_id","campaign_id","contact_id") WHERE campaign_id is not null;--> statement-breakpoint
CREATE INDEX "emails_template" ON "emails" USING btree ("project_id","template_id") WHERE template_id is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "emails_provider_id" ON "emails" USING btree ("provider_id") WHERE provider_id is not null;--> statement-breakpoint
CREATE INDEX "event_deltas_project" ON "event_deltas" USING btree ("project_id");--> statement-breakpoint
CREATE INDEX "event_listeners_listener" ON "event_listeners" USING btree ("project_id","listener_id");--> statement-breakpoint
CREATE INDEX "event_totals_day" ON "event_totals" USING btree ("project_id","day","name","count");--> statement-breakpoint
CREATE INDEX "event_transients_age" ON "event_transients" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "events_name" ON "events" USING btree ("project_id","name","created_at","id");--> statement-breakpoint
CREATE INDEX "events_contact" ON "events" USING btree ("project_id","contact_id","created_at","id") WHERE contact_id is not null;--> statement-breakpoint
CREATE INDEX "feedback_receipts_age" ON "feedback_receipts" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "tracking_suspects_until" ON "tracking_suspects" USING btree ("until");--> statement-breakpoint
CREATE INDEX "system_mails_created" ON "system_mails" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "audit_log_action" ON "audit_log" USING btree ("project_id","action","id");--> statement-breakpoint
CREATE UNIQUE INDEX "invitations_project_email" ON "invitations" USING btree ("project_id","email");--> statement-breakpoint
CREATE UNIQUE INDEX "invitations_token" ON "invitations" USING btree ("token_hash");--> statement-breakpoint
CREATE INDEX "invitations_email" ON "invitations" USING btree ("email");--> statement-breakpoint
CREATE INDEX "invitations_expires" ON "invitations" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "memberships_user" ON "memberships" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "memberships_one_owner" ON "memberships" USING btree ("project_id") WHERE role = 'OWNER';--> statement-breakpoint
CREATE UNIQUE INDEX "projects_public_key" ON "projects" USING btree ("public_key_hash");--> statement-breakpoint
CREATE UNIQUE INDEX "projects_secret_key" ON "projects" USING btree ("secret_key_hash");--> statement-breakpoint
CREATE INDEX "projects_closing" ON "projects" USING btree ("id") WHERE closing is not null;--> statement-breakpoint
CREATE INDEX "project_suspensions_project" ON "project_suspensions" USING btree ("project_id","at" DESC NULLS FIRST);--> statement-breakpoint
CREATE UNIQUE INDEX "project_suspensions_one_open" ON "project_suspensions" USING btree ("project_id") WHERE lifted_at is null;--> statement-breakpoint
CREATE INDEX "segment_members_contact" ON "segment_members" USING btree ("project_id","contact_id");--> statement-breakpoint
CREATE INDEX "segment_references_segment" ON "segment_references" USING btree ("project_id","segment_id");--> statement-breakpoint
CREATE INDEX "segments_walk" ON "segments" USING btree ("id") WHERE type = 'DYNAMIC';--> statement-breakpoint
CREATE INDEX "suppressions_created" ON "suppressions" USING btree ("project_id","created_at" DESC NULLS FIRST,"email");--> statement-breakpoint
CREATE INDEX "suppressions_reason" ON "suppressions" USING btree ("project_id","reason","created_at" DESC NULLS FIRST,"email");--> statement-breakpoint
CREATE INDEX "templates_project_created" ON "templates" USING btree ("project_id","created_at" DESC NULLS FIRST,"id" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "account_attempts_closes" ON "account_attempts" USING btree ("closes_at");--> statement-breakpoint
CREATE INDEX "account_tokens_user" ON "account_tokens" USING btree ("user_id","kind");--> statement-breakpoint
CREATE INDEX "account_tokens_expires" ON "account_tokens" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "ended_sessions_expires" ON "ended_sessions" USING btree ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "users_email" ON "users" USING btree ("email");--> statement-breakpoint
CREATE INDEX "idempotency_keys_expires" ON "idempotency_keys" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "workflow_references_workflow" ON "workflow_references" USING btree ("project_id","workflow_id");--> statement-breakpoint
CREATE UNIQUE INDEX "workflow_snapshots_stamp" ON "workflow_snapshots" USING btree ("project_id","workflow_id","stamp");--> statement-breakpoint
CREATE UNIQUE INDEX "workflow_steps_trigger" ON "workflow_steps" USING btree ("project_id","workflow_id") WHERE type = 'TRIGGER';--> statement-breakpoint
CREATE INDEX "workflow_steps_template" ON "workflow_steps" USING btree ("project_id","template_id") WHERE template_id is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "workflow_transitions_from" ON "workflow_transitions" USING btree ("project_id","workflow_id","from_step_id",coalesce(branch, ''),coalesce(wait_outcome, ''));--> statement-breakpoint
CREATE INDEX "workflows_event" ON "workflows" USING btree ("project_id","event_name") WHERE enabled and event_name is not null;--> statement-breakpoint
CREATE INDEX "workflows_due" ON "workflows" USING btree ("next_run_at") WHERE next_run_at is not null;--> statement-breakpoint
CREATE INDEX "workflow_deltas_workflow" ON "workflow_deltas" USING btree ("project_id","workflow_id");--> statement-breakpoint
CREATE INDEX "workflow_executions_started" ON "workflow_executions" USING btree ("project_id","workflow_id","started_at","id");--> statement-breakpoint
CREATE INDEX "workflow_executions_outcome" ON "workflow_executions" USING btree ("project_id","workflow_id","outcome","started_at","id") WHERE outcome is not null;--> statement-breakpoint
CREATE INDEX "workflow_executions_begun" ON "workflow_executions" USING btree ("project_id","started_at","id");--> statement-breakpoint
CREATE INDEX "workflow_executions_ended" ON "workflow_executions" USING btree ("project_id","completed_at","id") WHERE completed_at is not null;--> statement-breakpoint
CREATE INDEX "workflow_executions_contact" ON "workflow_executions" USING btree ("project_id","contact_id","workflow_id","started_at");--> statement-breakpoint
CREATE INDEX "workflow_executions_active" ON "workflow_executions" USING btree ("project_id","contact_id") WHERE completed_at is null;--> statement-breakpoint
CREATE UNIQUE INDEX "workflow_executions_one_active" ON "workflow_executions" USING btree ("project_id","workflow_id","contact_id") WHERE completed_at is null;--> statement-breakpoint
CREATE UNIQUE INDEX "workflow_executions_once" ON "workflow_executions" USING btree ("project_id","workflow_id","contact_id") WHERE once;--> statement-breakpoint
CREATE UNIQUE INDEX "workflow_executions_source" ON "workflow_executions" USING btree ("project_id","workflow_id","source_event_id") WHERE source_event_id is not null;--> statement-breakpoint
CREATE INDEX "workflow_executions_snapshot" ON "workflow_executions" USING btree ("project_id","snapshot_id") WHERE completed_at is null;--> statement-breakpoint
CREATE INDEX "jobs_claim" ON "jobs" USING btree ("band","run_at","id") WHERE state = 'queued';--> statement-breakpoint
CREATE INDEX "jobs_running" ON "jobs" USING btree ("locked_by") WHERE state = 'running';--> statement-breakpoint
CREATE INDEX "jobs_finished" ON "jobs" USING btree ("finished_at") WHERE finished_at is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "jobs_unique_key" ON "jobs" USING btree ("unique_key") WHERE unique_key is not null and state in ('queued', 'running');
--> statement-breakpoint
-- Stands behind the generated statements of the initial migration: storage settings that drizzle-kit can't say.
-- Room in each page keeps the new version of a patched contact beside the old one, so that its indexes are not touched.
alter table contacts set (fillfactor = 85);
-- Rows of these tables live for seconds; a share of the table is no measure for them.
alter table contact_deltas set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
alter table event_deltas set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
alter table email_day_deltas set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
alter table campaign_deltas set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
alter table workflow_deltas set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
-- A recipient of a campaign is written three times; with room in its page none of that touches an index.
alter table emails set (fillfactor = 60);
-- The same for an execution, which is written with every wait until it ends.
alter table workflow_executions set (fillfactor = 50);
-- Of those that run, most are gone in a moment, and a list of them passes over what they leave.
alter table workflow_active set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 5000);
