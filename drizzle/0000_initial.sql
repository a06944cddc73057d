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
-- The address with its domain in Punycode (RFC 3492), for addresses that were erased before they had one spelling: only their hashes are left.
create function punycode_address(address text) returns text language plpgsql immutable strict parallel safe as $$
declare
  digits constant text := 'abcdefghijklmnopqrstuvwxyz0123456789';
  domain constant text := substring(address from '@([^@]*)$');
  spelled text[] := '{}';
  label text;
  points int[];
  point int;
  written text;
  plain int;
  handled int;
  following int;
  lowest int;
  delta int;
  bias int;
  q int;
  k int;
  t int;
begin
  if domain is null then return address; end if;
  foreach label in array string_to_array(domain, '.') loop
    if octet_length(label) = char_length(label) then
      spelled := spelled || label;
      continue;
    end if;
    points := array(select ascii(substr(label, place, 1)) from generate_series(1, char_length(label)) as place order by place);
    written := regexp_replace(label, '[^\x01-\x7f]', '', 'g');
    plain := char_length(written);
    if plain > 0 then written := written || '-'; end if;
    handled := plain;
    lowest := 128;
    delta := 0;
    bias := 72;
    while handled < cardinality(points) loop
      select min(each) into following from unnest(points) as each where each >= lowest;
      delta := delta + (following - lowest) * (handled + 1);
      lowest := following;
      foreach point in array points loop
        if point < lowest then delta := delta + 1; end if;
        continue when point <> lowest;
        q := delta;
        k := 36;
        loop
          t := greatest(1, least(26, k - bias));
          exit when q < t;
          written := written || substr(digits, t + (q - t) % (36 - t) + 1, 1);
          q := (q - t) / (36 - t);
          k := k + 36;
        end loop;
        written := written || substr(digits, q + 1, 1);
        delta := case when handled = plain then delta / 700 else delta / 2 end;
        delta := delta + delta / (handled + 1);
        k := 0;
        while delta > 455 loop
          delta := delta / 35;
          k := k + 36;
        end loop;
        bias := k + 36 * delta / (delta + 38);
        delta := 0;
        handled := handled + 1;
      end loop;
      delta := delta + 1;
      lowest := lowest + 1;
    end loop;
    spelled := spelled || ('xn--' || written);
  end loop;
  return left(address, char_length(address) - char_length(domain)) || array_to_string(spelled, '.');
end
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
CREATE TABLE "campaign_receivers" (
	"project_id" uuid NOT NULL,
	"campaign_id" uuid NOT NULL,
	"receiver" text NOT NULL,
	"state" text DEFAULT 'watched' NOT NULL,
	"answers" text DEFAULT '' NOT NULL,
	"words" text NOT NULL,
	"since" timestamp (3) with time zone NOT NULL,
	"probe_at" timestamp (3) with time zone,
	"probes" integer DEFAULT 0 NOT NULL,
	"held" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "campaign_receivers_pkey" PRIMARY KEY("project_id","campaign_id","receiver"),
	CONSTRAINT "campaign_receivers_receiver" CHECK (char_length(receiver) between 1 and 253),
	CONSTRAINT "campaign_receivers_state" CHECK (state in ('watched', 'paused', 'leftOut')),
	CONSTRAINT "campaign_receivers_answers" CHECK (char_length(answers) <= 20),
	CONSTRAINT "campaign_receivers_probe" CHECK ((state = 'paused') = (probe_at is not null))
);
--> statement-breakpoint
CREATE TABLE "campaign_ab_tests" (
	"campaign_id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"variants" smallint NOT NULL,
	"share" smallint NOT NULL,
	"metric" text NOT NULL,
	"after_hours" smallint NOT NULL,
	"confidence" double precision NOT NULL,
	"otherwise" text NOT NULL,
	"due_at" timestamp (3) with time zone,
	"judged_at" timestamp (3) with time zone,
	"figures" jsonb,
	"winner" smallint,
	"decided_at" timestamp (3) with time zone,
	"decided_by" text,
	CONSTRAINT "campaign_ab_tests_split" CHECK (variants between 2 and 5 and share between 1 and 100),
	CONSTRAINT "campaign_ab_tests_metric" CHECK (metric in ('CLICKS', 'OPENS')),
	CONSTRAINT "campaign_ab_tests_otherwise" CHECK (otherwise in ('A', 'WAIT')),
	CONSTRAINT "campaign_ab_tests_decided_by" CHECK (decided_by in ('TEST', 'FALLBACK', 'PERSON')),
	CONSTRAINT "campaign_ab_tests_outcome" CHECK (case when winner is null then decided_at is null and decided_by is null
            else winner between 0 and variants - 1 and decided_at is not null and decided_by is not null and judged_at is not null end
          and (judged_at is null) = (figures is null))
);
--> statement-breakpoint
CREATE TABLE "campaign_clicks" (
	"project_id" uuid NOT NULL,
	"campaign_id" uuid NOT NULL,
	"link_hash" uuid NOT NULL,
	"contact_id" uuid NOT NULL,
	"link" text NOT NULL,
	"own_clicks" integer DEFAULT 0 NOT NULL,
	"provider_clicks" integer DEFAULT 0 NOT NULL,
	"first_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "campaign_clicks_pkey" PRIMARY KEY("project_id","campaign_id","link_hash","contact_id")
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
	"held" bigint DEFAULT 0 NOT NULL,
	"capped" bigint DEFAULT 0 NOT NULL,
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
	"skipped" integer DEFAULT 0 NOT NULL,
	"held" integer DEFAULT 0 NOT NULL,
	"capped" integer DEFAULT 0 NOT NULL
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
	"is_tested" boolean DEFAULT false NOT NULL,
	"is_planned" boolean DEFAULT false NOT NULL,
	CONSTRAINT "campaign_slices_order" CHECK (after < up_to)
);
--> statement-breakpoint
CREATE TABLE "campaign_variants" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"campaign_id" uuid NOT NULL,
	"number" smallint NOT NULL,
	"subject" text,
	"from_name" text,
	"body" text,
	"joined_body" text,
	"editor" jsonb
);
--> statement-breakpoint
CREATE TABLE "campaigns" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"name" text NOT NULL,
	"description" text,
	"subject" text NOT NULL,
	"body" text NOT NULL,
	"layout_id" uuid,
	"joined_body" text,
	"editor" jsonb,
	"from_email" text NOT NULL,
	"from_name" text,
	"reply_to" text,
	"type" text NOT NULL,
	"status" text NOT NULL,
	"audience_type" text NOT NULL,
	"audience_condition" jsonb,
	"segment_id" uuid,
	"topic_id" uuid,
	"in_archive" boolean DEFAULT false NOT NULL,
	"scheduled_for" timestamp (3) with time zone,
	"timing" jsonb,
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
	"version" integer DEFAULT 1 NOT NULL,
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
CREATE TABLE "consent_changes" (
	"project_id" uuid NOT NULL,
	"contact_id" uuid NOT NULL,
	"version" integer NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"topic_id" uuid,
	"before" text,
	"after" text NOT NULL,
	"source" text NOT NULL,
	"actor" text,
	"email_id" uuid,
	"wording" text,
	"client" text,
	"evidence" text,
	CONSTRAINT "consent_changes_pkey" PRIMARY KEY("project_id","contact_id","version"),
	CONSTRAINT "consent_changes_before" CHECK (before in ('subscribed', 'snoozed', 'optedOut', 'notAsked')),
	CONSTRAINT "consent_changes_after" CHECK (after in ('subscribed', 'snoozed', 'optedOut', 'notAsked')),
	CONSTRAINT "consent_changes_wording" CHECK (char_length(wording) <= 500),
	CONSTRAINT "consent_changes_evidence" CHECK (char_length(evidence) <= 500)
);
--> statement-breakpoint
CREATE TABLE "contact_deleted_fields" (
	"project_id" uuid NOT NULL,
	"name" text NOT NULL,
	"deleted_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "contact_deleted_fields_pkey" PRIMARY KEY("project_id","name")
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
	"keys_allowed" integer,
	"version" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "contacts_pkey" PRIMARY KEY("project_id","id"),
	CONSTRAINT "contacts_email" CHECK (char_length(email) between 3 and 254),
	CONSTRAINT "contacts_snoozed_is_unsubscribed" CHECK (snoozed_until is null or not subscribed),
	CONSTRAINT "contacts_opted_out_is_unsubscribed" CHECK (opted_out_at is null or not (subscribed or snoozed_until is not null)),
	CONSTRAINT "contacts_data_is_object" CHECK (jsonb_typeof(data) = 'object'),
	CONSTRAINT "contacts_data_size" CHECK (octet_length(data::text) <= 65536),
	CONSTRAINT "contacts_data_keys" CHECK (octet_length(data::text) < 4000 or jsonb_array_length(jsonb_path_query_array(data, '$.keyvalue()')) <= coalesce(keys_allowed, 500))
);
--> statement-breakpoint
CREATE TABLE "contact_bulks" (
	"id" uuid NOT NULL,
	"project_id" uuid NOT NULL,
	"job_id" uuid NOT NULL,
	"operation" text NOT NULL,
	"origin" jsonb,
	"waiting" uuid[] NOT NULL,
	"total" integer NOT NULL,
	"changed" integer NOT NULL,
	"unchanged" integer NOT NULL,
	"unknown" uuid[] NOT NULL,
	"segment_id" uuid,
	"earlier" jsonb,
	"undoes" uuid,
	"failed_reason" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"finished_at" timestamp (3) with time zone,
	CONSTRAINT "contact_bulks_pkey" PRIMARY KEY("project_id","id"),
	CONSTRAINT "contact_bulks_operation" CHECK (operation in ('subscribe', 'unsubscribe', 'delete', 'add', 'remove')),
	CONSTRAINT "contact_bulks_segment" CHECK (operation not in ('add', 'remove') or segment_id is not null),
	CONSTRAINT "contact_bulks_total" CHECK (total = changed + unchanged + cardinality(unknown) + cardinality(waiting))
);
--> statement-breakpoint
CREATE TABLE "contact_import_parts" (
	"project_id" uuid NOT NULL,
	"import_id" uuid NOT NULL,
	"part" integer NOT NULL,
	"content" "bytea" NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "contact_import_parts_pkey" PRIMARY KEY("project_id","import_id","part"),
	CONSTRAINT "contact_import_parts_content" CHECK (octet_length(content) <= 300000)
);
--> statement-breakpoint
CREATE TABLE "contact_imports" (
	"id" uuid NOT NULL,
	"project_id" uuid NOT NULL,
	"job_id" uuid NOT NULL,
	"filename" text NOT NULL,
	"origin" jsonb,
	"topics" jsonb,
	"content" "bytea",
	"size" integer NOT NULL,
	"position" integer NOT NULL,
	"lines" integer DEFAULT 0 NOT NULL,
	"rows" integer NOT NULL,
	"created" integer NOT NULL,
	"updated" integer NOT NULL,
	"failed" integer NOT NULL,
	"faults" jsonb NOT NULL,
	"left_out" integer NOT NULL,
	"left_out_rows" jsonb NOT NULL,
	"warnings" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"failed_reason" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"finished_at" timestamp (3) with time zone,
	CONSTRAINT "contact_imports_pkey" PRIMARY KEY("project_id","id"),
	CONSTRAINT "contact_imports_content" CHECK ((content is null) = (finished_at is not null)),
	CONSTRAINT "contact_imports_rows" CHECK (rows = created + updated + failed)
);
--> statement-breakpoint
CREATE TABLE "dkim_rotations" (
	"domain_id" uuid PRIMARY KEY NOT NULL,
	"selector" text NOT NULL,
	"public_key" text NOT NULL,
	"private_key" text,
	"started_at" timestamp (3) with time zone NOT NULL,
	"switched_at" timestamp (3) with time zone,
	CONSTRAINT "dkim_rotations_next_can_sign" CHECK ((private_key is null) = (switched_at is not null))
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
	"relay_signs" boolean DEFAULT false NOT NULL,
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
CREATE TABLE "warm_up_days" (
	"warm_up_id" uuid NOT NULL,
	"day" date NOT NULL,
	"step" integer NOT NULL,
	"allowance" integer NOT NULL,
	"reserved" integer NOT NULL,
	"sent" integer DEFAULT 0 NOT NULL,
	"transactional" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "warm_up_days_pkey" PRIMARY KEY("warm_up_id","day"),
	CONSTRAINT "warm_up_days_counts" CHECK (sent >= transactional and transactional >= 0)
);
--> statement-breakpoint
CREATE TABLE "warm_ups" (
	"id" uuid PRIMARY KEY NOT NULL,
	"domain_id" uuid,
	"transport" text,
	"first_day" integer NOT NULL,
	"factor" double precision NOT NULL,
	"target" integer NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	CONSTRAINT "warm_ups_grows" CHECK (first_day between 1 and target and factor > 1)
);
--> statement-breakpoint
CREATE TABLE "mail_bookings" (
	"project_id" uuid NOT NULL,
	"contact_id" uuid NOT NULL,
	"booked" jsonb NOT NULL,
	"latest_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "mail_bookings_pkey" PRIMARY KEY("project_id","contact_id")
);
--> statement-breakpoint
CREATE TABLE "receiver_refusals" (
	"project_id" uuid NOT NULL,
	"receiver" text NOT NULL,
	"day" date NOT NULL,
	"messages" integer NOT NULL,
	"words" text NOT NULL,
	"last_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "receiver_refusals_pkey" PRIMARY KEY("project_id","day","receiver"),
	CONSTRAINT "receiver_refusals_receiver" CHECK (char_length(receiver) between 1 and 253)
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
	"transport" text,
	"transport_name" text,
	"outcome" text NOT NULL,
	"stage" text,
	"code" integer,
	"enhanced" text,
	"response" text NOT NULL,
	"transport_failed" boolean DEFAULT false NOT NULL,
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
	"topic_id" uuid,
	"hops" smallint,
	"to_email" text NOT NULL,
	"to_name" text,
	"follows_contact" boolean,
	"from_email" text NOT NULL,
	"from_name" text,
	"reply_to" text,
	"subject" text NOT NULL,
	"html" text NOT NULL,
	"text" text NOT NULL,
	"headers" jsonb NOT NULL,
	"tracking" boolean,
	"given_links" jsonb,
	"variables" jsonb,
	"attachment_set" uuid,
	"submitted_set" uuid,
	"copies" jsonb,
	"tags" jsonb,
	"metadata" jsonb,
	"scheduled_for" timestamp (3) with time zone,
	"message_id" text NOT NULL,
	"provider_id" text,
	"status" text NOT NULL,
	"error" text,
	"failure" text,
	"failure_code" text,
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
	"simulated" boolean GENERATED ALWAYS AS (to_email like '%@simulator.amazonses.com' or to_email like '%@simulator.example') STORED NOT NULL,
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
CREATE TABLE "event_deleted_names" (
	"project_id" uuid NOT NULL,
	"name" text NOT NULL,
	"deleted_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "event_deleted_names_pkey" PRIMARY KEY("project_id","name")
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
CREATE TABLE "returned_mail_days" (
	"day" date NOT NULL,
	"outcome" text NOT NULL,
	"mails" integer NOT NULL,
	CONSTRAINT "returned_mail_days_pkey" PRIMARY KEY("day","outcome"),
	CONSTRAINT "returned_mail_days_outcome" CHECK (outcome in ('applied', 'unknownMessage', 'notBelieved', 'noNews', 'answer', 'notUnderstood'))
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
CREATE TABLE "form_mailboxes" (
	"project_id" uuid NOT NULL,
	"mailbox" text NOT NULL,
	"mailed_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "form_mailboxes_pkey" PRIMARY KEY("project_id","mailbox")
);
--> statement-breakpoint
CREATE TABLE "form_requests" (
	"project_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"form_id" uuid NOT NULL,
	"email" text NOT NULL,
	"state" text NOT NULL,
	"version" integer NOT NULL,
	"values" jsonb NOT NULL,
	"topic_ids" uuid[] NOT NULL,
	"language" text NOT NULL,
	"wording" text NOT NULL,
	"contact_id" uuid,
	"email_id" uuid,
	"asked" integer NOT NULL,
	"confirmed" integer NOT NULL,
	"asked_at" timestamp (3) with time zone NOT NULL,
	"mailed_at" timestamp (3) with time zone,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "form_requests_pkey" PRIMARY KEY("project_id","id"),
	CONSTRAINT "form_requests_state" CHECK (state in ('waiting', 'mailed', 'confirmed'))
);
--> statement-breakpoint
CREATE TABLE "forms" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"name" text NOT NULL,
	"enabled" boolean NOT NULL,
	"language" text,
	"topic_ids" uuid[] NOT NULL,
	"fields" jsonb NOT NULL,
	"look" jsonb NOT NULL,
	"template_id" uuid,
	"redirect_url" text,
	"asked" bigint DEFAULT 0 NOT NULL,
	"confirmed" bigint DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "forms_name" CHECK (char_length(name) between 1 and 100)
);
--> statement-breakpoint
CREATE TABLE "outbox_mails" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid,
	"kind" text NOT NULL,
	"audience" text NOT NULL,
	"to_email" text NOT NULL,
	"subject" text NOT NULL,
	"content_sealed" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "outbox_mails_kind" CHECK (kind in ('TEST', 'INVITATION', 'NOTICE', 'ACCOUNT')),
	CONSTRAINT "outbox_mails_audience" CHECK (audience in ('members', 'admins', 'operator')),
	CONSTRAINT "outbox_mails_owner" CHECK ((audience = 'operator') = (project_id is null))
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
CREATE TABLE "mcp_confirmations" (
	"id" uuid NOT NULL,
	"project_id" uuid NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "mcp_confirmations_pkey" PRIMARY KEY("project_id","id")
);
--> statement-breakpoint
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
	"keeps_opt_outs" boolean DEFAULT false NOT NULL,
	"keeps_clients" boolean DEFAULT false NOT NULL,
	"offers_data" boolean DEFAULT true NOT NULL,
	"time_zone" text,
	"time_zone_field" text,
	"quiet_hours" jsonb,
	"mail_cap" jsonb,
	"second_factor_required" boolean DEFAULT false NOT NULL,
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
CREATE TABLE "old_links" (
	"project_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"url" text NOT NULL,
	CONSTRAINT "old_links_pkey" PRIMARY KEY("project_id","id"),
	CONSTRAINT "old_links_url" CHECK (url ~ '^https?://' and char_length(url) <= 8000)
);
--> statement-breakpoint
CREATE TABLE "old_recipients" (
	"project_id" uuid NOT NULL,
	"contact_id" uuid NOT NULL,
	"token_hash" text NOT NULL,
	"address_hash" text,
	CONSTRAINT "old_recipients_pkey" PRIMARY KEY("project_id","contact_id","token_hash")
);
--> statement-breakpoint
CREATE TABLE "project_retention" (
	"project_id" uuid NOT NULL,
	"events_days" integer,
	"messages_days" integer,
	"inactive_days" integer,
	"effective_at" timestamp (3) with time zone NOT NULL,
	"run_at" timestamp (3) with time zone,
	"messages_to" timestamp (3) with time zone,
	CONSTRAINT "project_retention_pkey" PRIMARY KEY("project_id"),
	CONSTRAINT "project_retention_days" CHECK (least(events_days, messages_days, inactive_days) >= 7)
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
	CONSTRAINT "segment_references_kind" CHECK (kind in ('field', 'event', 'segment', 'topic'))
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
CREATE TABLE "erased_addresses" (
	"project_id" uuid NOT NULL,
	"hash" "bytea" NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "erased_addresses_pkey" PRIMARY KEY("project_id","hash")
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
	CONSTRAINT "suppressions_reason_known" CHECK (reason in ('bounce', 'complaint', 'manual', 'repeated'))
);
--> statement-breakpoint
CREATE TABLE "layouts" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"name" text NOT NULL,
	"description" text,
	"body" text NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
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
	"layout_id" uuid,
	"from_email" text NOT NULL,
	"from_name" text,
	"reply_to" text,
	"type" text NOT NULL,
	"tracking" boolean,
	"editor" jsonb,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "templates_type" CHECK (type in ('TRANSACTIONAL', 'MARKETING', 'HEADLESS'))
);
--> statement-breakpoint
CREATE TABLE "contact_topics" (
	"project_id" uuid NOT NULL,
	"contact_id" uuid NOT NULL,
	"topic_id" uuid NOT NULL,
	"subscribed" boolean NOT NULL,
	"decided_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "contact_topics_pkey" PRIMARY KEY("project_id","contact_id","topic_id")
);
--> statement-breakpoint
CREATE TABLE "topics" (
	"id" uuid NOT NULL,
	"project_id" uuid NOT NULL,
	"name" text NOT NULL,
	"description" text,
	"by_default" boolean NOT NULL,
	"archived_at" timestamp (3) with time zone,
	"offered" boolean DEFAULT true NOT NULL,
	"public_archive" boolean DEFAULT false NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "topics_pkey" PRIMARY KEY("project_id","id"),
	CONSTRAINT "topics_name" CHECK (char_length(name) between 1 and 100),
	CONSTRAINT "topics_description" CHECK (char_length(description) <= 500)
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
CREATE TABLE "recovery_codes" (
	"user_id" uuid NOT NULL,
	"code_hash" text NOT NULL,
	CONSTRAINT "recovery_codes_pkey" PRIMARY KEY("user_id","code_hash")
);
--> statement-breakpoint
CREATE TABLE "second_factors" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"secret_sealed" text NOT NULL,
	"confirmed_at" timestamp (3) with time zone,
	"last_step" integer,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"version" integer NOT NULL,
	"agent" text,
	"address" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"last_seen_at" timestamp (3) with time zone NOT NULL,
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
	CONSTRAINT "users_type" CHECK (type in ('PASSWORD', 'GITHUB_OAUTH', 'GOOGLE_OAUTH', 'OIDC')),
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
	"request_hash" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "idempotency_keys_project_id_by_public_key_key_pk" PRIMARY KEY("project_id","by_public_key","key")
);
--> statement-breakpoint
CREATE TABLE "webhook_deliveries" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"endpoint_id" uuid NOT NULL,
	"event_id" uuid,
	"event_type" text NOT NULL,
	"body" text NOT NULL,
	"status" text NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_attempt_at" timestamp (3) with time zone,
	"since" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "webhook_deliveries_status" CHECK (status in ('PENDING', 'DELIVERED', 'FAILED'))
);
--> statement-breakpoint
CREATE TABLE "webhook_endpoints" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"url" text NOT NULL,
	"description" text NOT NULL,
	"event_types" jsonb NOT NULL,
	"enabled" boolean NOT NULL,
	"disabled_reason" text,
	"secret_sealed" text NOT NULL,
	"previous_secret_sealed" text,
	"previous_until" timestamp (3) with time zone,
	"failing_since" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "webhook_tries" (
	"project_id" uuid NOT NULL,
	"delivery_id" uuid NOT NULL,
	"attempt" integer NOT NULL,
	"status_code" integer,
	"error" text,
	"response" text,
	"started_at" timestamp (3) with time zone NOT NULL,
	"finished_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "webhook_tries_pkey" PRIMARY KEY("project_id","delivery_id","attempt")
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
	"include_bulk_changes" boolean DEFAULT false NOT NULL,
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
CREATE TABLE "backfills" (
	"tag" text PRIMARY KEY NOT NULL,
	"estimate" bigint NOT NULL,
	"done" bigint NOT NULL,
	"cursor" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"finished_at" timestamp (3) with time zone,
	CONSTRAINT "backfills_counts" CHECK (estimate >= 0 and done >= 0)
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
	CONSTRAINT "rate_budgets_kind" CHECK (kind in ('project', 'public', 'assistant', 'key', 'user'))
);
--> statement-breakpoint
ALTER TABLE "project_billing" ADD CONSTRAINT "project_billing_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "campaign_ab_tests" ADD CONSTRAINT "campaign_ab_tests_campaign_id_campaigns_id_fk" FOREIGN KEY ("campaign_id") REFERENCES "public"."campaigns"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "campaign_slices" ADD CONSTRAINT "campaign_slices_campaign_id_campaigns_id_fk" FOREIGN KEY ("campaign_id") REFERENCES "public"."campaigns"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "campaign_variants" ADD CONSTRAINT "campaign_variants_campaign_id_campaign_ab_tests_campaign_id_fk" FOREIGN KEY ("campaign_id") REFERENCES "public"."campaign_ab_tests"("campaign_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "campaigns" ADD CONSTRAINT "campaigns_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "dkim_rotations" ADD CONSTRAINT "dkim_rotations_domain_id_domains_id_fk" FOREIGN KEY ("domain_id") REFERENCES "public"."domains"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "domains" ADD CONSTRAINT "domains_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "warm_up_days" ADD CONSTRAINT "warm_up_days_warm_up_id_warm_ups_id_fk" FOREIGN KEY ("warm_up_id") REFERENCES "public"."warm_ups"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "warm_ups" ADD CONSTRAINT "warm_ups_domain_id_domains_id_fk" FOREIGN KEY ("domain_id") REFERENCES "public"."domains"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "project_suspensions" ADD CONSTRAINT "project_suspensions_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "templates" ADD CONSTRAINT "templates_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account_tokens" ADD CONSTRAINT "account_tokens_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recovery_codes" ADD CONSTRAINT "recovery_codes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "second_factors" ADD CONSTRAINT "second_factors_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "payment_receipts_invoice" ON "payment_receipts" USING btree ("invoice","type") WHERE invoice is not null;--> statement-breakpoint
CREATE INDEX "payment_receipts_age" ON "payment_receipts" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "usage_months_unreported" ON "usage_months" USING btree ("project_id") WHERE units > reported;--> statement-breakpoint
CREATE INDEX "usage_months_month" ON "usage_months" USING btree ("month");--> statement-breakpoint
CREATE INDEX "usage_reports_done" ON "usage_reports" USING btree ("reported_at");--> statement-breakpoint
CREATE INDEX "campaign_ab_tests_due" ON "campaign_ab_tests" USING btree ("due_at") WHERE due_at is not null;--> statement-breakpoint
CREATE INDEX "campaign_deltas_campaign" ON "campaign_deltas" USING btree ("project_id","campaign_id");--> statement-breakpoint
CREATE UNIQUE INDEX "campaign_slices_place" ON "campaign_slices" USING btree ("campaign_id","after");--> statement-breakpoint
CREATE INDEX "campaign_slices_open" ON "campaign_slices" USING btree ("campaign_id","id") WHERE done_at is null;--> statement-breakpoint
CREATE UNIQUE INDEX "campaign_variants_number" ON "campaign_variants" USING btree ("campaign_id","number");--> statement-breakpoint
CREATE INDEX "campaigns_project_created" ON "campaigns" USING btree ("project_id","created_at" DESC NULLS FIRST,"id" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "campaigns_due" ON "campaigns" USING btree ("scheduled_for") WHERE status = 'SCHEDULED';--> statement-breakpoint
CREATE INDEX "campaigns_upcoming" ON "campaigns" USING btree ("project_id","scheduled_for") WHERE status = 'SCHEDULED';--> statement-breakpoint
CREATE INDEX "campaigns_probe" ON "campaigns" USING btree ("probe_at") WHERE probe_at is not null;--> statement-breakpoint
CREATE INDEX "campaigns_segment" ON "campaigns" USING btree ("project_id","segment_id") WHERE segment_id is not null;--> statement-breakpoint
CREATE INDEX "contact_deltas_project" ON "contact_deltas" USING btree ("project_id");--> statement-breakpoint
CREATE UNIQUE INDEX "contacts_project_email" ON "contacts" USING btree ("project_id","email");--> statement-breakpoint
CREATE INDEX "contacts_email_search" ON "contacts" USING gin ("project_id","email" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "contacts_snoozed" ON "contacts" USING btree ("snoozed_until") WHERE snoozed_until is not null;--> statement-breakpoint
CREATE INDEX "contacts_snoozed_project" ON "contacts" USING btree ("project_id","id") WHERE snoozed_until is not null;--> statement-breakpoint
CREATE INDEX "contact_bulks_created" ON "contact_bulks" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "contact_imports_created" ON "contact_imports" USING btree ("created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "domains_project_domain" ON "domains" USING btree ("project_id","domain");--> statement-breakpoint
CREATE UNIQUE INDEX "domains_holder" ON "domains" USING btree ("domain") WHERE verified and not sandbox;--> statement-breakpoint
CREATE INDEX "domains_pending" ON "domains" USING btree ("pending_since") WHERE not verified;--> statement-breakpoint
CREATE UNIQUE INDEX "warm_ups_domain" ON "warm_ups" USING btree ("domain_id");--> statement-breakpoint
CREATE INDEX "mail_bookings_latest" ON "mail_bookings" USING btree ("latest_at");--> statement-breakpoint
CREATE INDEX "attachments_project" ON "attachments" USING btree ("project_id","created_at");--> statement-breakpoint
CREATE INDEX "email_day_deltas_project" ON "email_day_deltas" USING btree ("project_id","hour");--> statement-breakpoint
CREATE INDEX "email_hours_age" ON "email_hours" USING btree ("hour");--> statement-breakpoint
CREATE INDEX "email_troubles_kind" ON "email_troubles" USING btree ("project_id","kind","email_id");--> statement-breakpoint
CREATE INDEX "emails_project_created" ON "emails" USING btree ("project_id","created_at" DESC NULLS FIRST,"id" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "emails_contact" ON "emails" USING btree ("project_id","contact_id","id" DESC NULLS FIRST);--> statement-breakpoint
CREATE UNIQUE INDEX "emails_campaign" ON "emails" USING btree ("project_id","campaign_id","contact_id") WHERE campaign_id is not null;--> statement-breakpoint
CREATE INDEX "emails_template" ON "emails" USING btree ("project_id","template_id") WHERE template_id is not null;--> statement-breakpoint
CREATE INDEX "emails_scheduled" ON "emails" USING btree ("project_id","scheduled_for","id") WHERE scheduled_for is not null and campaign_id is null;--> statement-breakpoint
CREATE INDEX "emails_submitted" ON "emails" USING btree ("message_id") WHERE submitted_set is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "emails_provider_id" ON "emails" USING btree ("provider_id") WHERE provider_id is not null;--> statement-breakpoint
CREATE INDEX "event_deltas_project" ON "event_deltas" USING btree ("project_id");--> statement-breakpoint
CREATE INDEX "event_listeners_listener" ON "event_listeners" USING btree ("project_id","listener_id");--> statement-breakpoint
CREATE INDEX "event_totals_day" ON "event_totals" USING btree ("project_id","day","name","count");--> statement-breakpoint
CREATE INDEX "event_transients_age" ON "event_transients" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "events_name" ON "events" USING btree ("project_id","name","created_at","id");--> statement-breakpoint
CREATE INDEX "events_contact" ON "events" USING btree ("project_id","contact_id","created_at","id") WHERE contact_id is not null;--> statement-breakpoint
CREATE INDEX "feedback_receipts_age" ON "feedback_receipts" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "tracking_suspects_until" ON "tracking_suspects" USING btree ("until");--> statement-breakpoint
CREATE INDEX "form_mailboxes_mailed" ON "form_mailboxes" USING btree ("mailed_at");--> statement-breakpoint
CREATE UNIQUE INDEX "form_requests_address" ON "form_requests" USING btree ("project_id","form_id","email");--> statement-breakpoint
CREATE INDEX "form_requests_contact" ON "form_requests" USING btree ("project_id","contact_id");--> statement-breakpoint
CREATE INDEX "form_requests_expires" ON "form_requests" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "forms_project" ON "forms" USING btree ("project_id","id");--> statement-breakpoint
CREATE INDEX "outbox_mails_project" ON "outbox_mails" USING btree ("project_id","created_at","id");--> statement-breakpoint
CREATE INDEX "outbox_mails_created" ON "outbox_mails" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "system_mails_created" ON "system_mails" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "mcp_confirmations_expires" ON "mcp_confirmations" USING btree ("project_id","expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "api_keys_hash" ON "api_keys" USING btree ("hash");--> statement-breakpoint
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
CREATE INDEX "old_links_id" ON "old_links" USING btree ("id");--> statement-breakpoint
CREATE INDEX "old_recipients_token" ON "old_recipients" USING btree ("token_hash");--> statement-breakpoint
CREATE INDEX "project_suspensions_project" ON "project_suspensions" USING btree ("project_id","at" DESC NULLS FIRST);--> statement-breakpoint
CREATE UNIQUE INDEX "project_suspensions_one_open" ON "project_suspensions" USING btree ("project_id") WHERE lifted_at is null;--> statement-breakpoint
CREATE INDEX "segment_members_contact" ON "segment_members" USING btree ("project_id","contact_id");--> statement-breakpoint
CREATE INDEX "segment_references_segment" ON "segment_references" USING btree ("project_id","segment_id");--> statement-breakpoint
CREATE INDEX "segments_walk" ON "segments" USING btree ("id") WHERE type = 'DYNAMIC';--> statement-breakpoint
CREATE INDEX "suppressions_created" ON "suppressions" USING btree ("project_id","created_at" DESC NULLS FIRST,"email");--> statement-breakpoint
CREATE INDEX "suppressions_reason" ON "suppressions" USING btree ("project_id","reason","created_at" DESC NULLS FIRST,"email");--> statement-breakpoint
CREATE INDEX "suppressions_search" ON "suppressions" USING gin ("project_id","email" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "layouts_project" ON "layouts" USING btree ("project_id","id");--> statement-breakpoint
CREATE INDEX "templates_project_created" ON "templates" USING btree ("project_id","created_at" DESC NULLS FIRST,"id" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "contact_topics_topic" ON "contact_topics" USING btree ("project_id","topic_id");--> statement-breakpoint
CREATE UNIQUE INDEX "topics_name" ON "topics" USING btree ("project_id","name");--> statement-breakpoint
CREATE INDEX "account_attempts_closes" ON "account_attempts" USING btree ("closes_at");--> statement-breakpoint
CREATE INDEX "account_tokens_user" ON "account_tokens" USING btree ("user_id","kind");--> statement-breakpoint
CREATE INDEX "account_tokens_expires" ON "account_tokens" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "ended_sessions_expires" ON "ended_sessions" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "second_factors_created" ON "second_factors" USING btree ("created_at") WHERE confirmed_at is null;--> statement-breakpoint
CREATE INDEX "sessions_user" ON "sessions" USING btree ("user_id","id");--> statement-breakpoint
CREATE INDEX "sessions_expires" ON "sessions" USING btree ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "users_email" ON "users" USING btree ("email");--> statement-breakpoint
CREATE INDEX "idempotency_keys_expires" ON "idempotency_keys" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_endpoint" ON "webhook_deliveries" USING btree ("project_id","endpoint_id","id");--> statement-breakpoint
CREATE INDEX "webhook_endpoints_project" ON "webhook_endpoints" USING btree ("project_id","id");--> statement-breakpoint
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
CREATE INDEX "jobs_line" ON "jobs" USING btree ((band || ' ' || coalesce(project_id::text, '~')) collate "C","run_at","id") WHERE state = 'queued';--> statement-breakpoint
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
-- A recipient of a campaign is written three times; with room in its page none of that touches an index. With 60, a page was full before all
-- of its messages were claimed: a fifth of the updates moved a row, and wrote four index entries.
alter table emails set (fillfactor = 50);
-- The same for an execution, which is written with every wait until it ends.
alter table workflow_executions set (fillfactor = 50);
-- Of those that run, most are gone in a moment, and a list of them passes over what they leave.
alter table workflow_active set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 5000);
-- Imported files are read a window at a time, and a compressed value would be read from its beginning each time; parts are compressed already.
alter table contact_imports alter column content set storage external;
alter table contact_import_parts alter column content set storage external;
