-- waxwing: minimum release 0.1.0
ALTER TABLE "emails" DROP CONSTRAINT "emails_error";--> statement-breakpoint
ALTER TABLE "emails" ADD COLUMN "reason" text;--> statement-breakpoint
ALTER TABLE "emails" ADD COLUMN "reason_detail" jsonb;--> statement-breakpoint
UPDATE "emails" SET
  "reason" = CASE
    WHEN "error" = 'erased' THEN coalesce("failure", CASE "status" WHEN 'BOUNCED' THEN 'transport' ELSE 'contactDeleted' END)
    WHEN "error" ~ '^(held|skipped) by quiet hours' THEN 'quietHours'
    WHEN "error" ~ '^(held|skipped) by the hours of the campaign' THEN 'campaignHours'
    WHEN "error" ~ '^(held|skipped) by cap' THEN 'cap'
    WHEN "error" ~ '^held by receiver ' OR "status" = 'SKIPPED' AND "error" ~ ' rejected the campaign$' THEN 'receiver'
    WHEN "error" = 'project is disabled' THEN 'projectDisabled'
    WHEN "error" ~ '^Billing limit reached: ' THEN 'limit'
    WHEN "error" = 'contact was deleted' THEN 'contactDeleted'
    WHEN "error" ~ '^address is suppressed' THEN 'suppressed'
    WHEN "error" ~* '^contact is unsubscribed' THEN 'unsubscribed'
    WHEN "error" ~* '^contact does not want the topic$' THEN 'topic'
    WHEN "error" = 'cancelled before it left' THEN 'cancelled'
    WHEN "error" = 'campaign cancelled' THEN 'campaignCancelled'
    WHEN "error" ~ '^its content is no longer kept' THEN 'contentDeleted'
    WHEN "error" ~ '^gave up: the process that sent it' THEN 'interrupted'
    WHEN "failure" IS NOT NULL THEN "failure"
    WHEN "status" IN ('PENDING', 'SENDING') THEN 'deferred'
    WHEN "status" = 'BOUNCED' THEN 'transport'
    WHEN "error" ~ '^gave up after ' THEN 'internal'
    ELSE 'template' END,
  "reason_detail" = CASE
    WHEN "error" = 'erased' THEN '{"erased": true}'
    WHEN "error" ~ '^held by receiver ' THEN jsonb_build_object('provider', split_part("error", ' ', 4))
    WHEN "status" = 'SKIPPED' AND "error" ~ ' rejected the campaign$'
      THEN jsonb_build_object('provider', regexp_replace("error", ' rejected the campaign$', ''))
    WHEN "error" ~ '^skipped by .* until ' THEN jsonb_build_object('until', substring("error" FROM ' until (.*)$'))
    WHEN "error" ~ '^address is suppressed' THEN jsonb_build_object('suppression', substring("error" FROM '\((.*)\)$'))
    WHEN "error" IN ('Contact is unsubscribed from marketing emails', 'Contact does not want the topic') THEN '{"byStep": true}'
    WHEN "error" ~ '^Billing limit reached: ' THEN jsonb_build_object('excess', jsonb_build_object(
      'category', substring("error" FROM '\((\w+)\)'), 'requested', 1,
      'usage', substring("error" FROM ': (\d+) of')::bigint, 'limit', substring("error" FROM 'of (\d+) messages')::bigint))
    WHEN "failure" IS NOT NULL OR "error" !~ '^((held|skipped) by|gave up: the process|its content is no longer kept|campaign cancelled$|cancelled before it left$|project is disabled$|contact (was deleted|is unsubscribed|does not want the topic)$)'
      THEN jsonb_strip_nulls(jsonb_build_object(
        'words', regexp_replace("error", '^gave up after \d+ tries: ', ''), 'code', "failure_code",
        'attempts', substring("error" FROM '^gave up after (\d+) tries: ')::int)) END
  WHERE "error" IS NOT NULL;--> statement-breakpoint
ALTER TABLE "emails" ADD CONSTRAINT "emails_reason" CHECK (status not in ('FAILED', 'BOUNCED', 'SKIPPED') or reason is not null) NOT VALID;--> statement-breakpoint
ALTER TABLE "emails" ADD CONSTRAINT "emails_reason_known" CHECK (reason in ('quietHours', 'campaignHours', 'cap', 'receiver', 'warmUp', 'pace', 'deferred', 'projectDisabled', 'limit', 'contactDeleted', 'suppressed', 'unsubscribed', 'topic', 'cancelled', 'campaignCancelled', 'contentDeleted', 'template', 'interrupted', 'internal', 'transport', 'dead', 'full', 'expired', 'refused', 'unknown')) NOT VALID;--> statement-breakpoint
ALTER TABLE "emails" DROP COLUMN "error";--> statement-breakpoint
ALTER TABLE "emails" DROP COLUMN "failure";--> statement-breakpoint
ALTER TABLE "emails" DROP COLUMN "failure_code";
