ALTER TABLE "contacts" ADD COLUMN "keys_allowed" integer;--> statement-breakpoint
ALTER TABLE "contact_imports" ADD COLUMN "warnings" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
-- What was stored before there was a bound stays, and can be changed: a contact that could not be would not get its unsubscription either.
UPDATE "contacts" SET "keys_allowed" = jsonb_array_length(jsonb_path_query_array(data, '$.keyvalue()'))
 WHERE octet_length(data::text) >= 4000 AND jsonb_array_length(jsonb_path_query_array(data, '$.keyvalue()')) > 500;
