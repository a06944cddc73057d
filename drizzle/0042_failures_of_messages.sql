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
CREATE TABLE "returned_mail_days" (
	"day" date NOT NULL,
	"outcome" text NOT NULL,
	"mails" integer NOT NULL,
	CONSTRAINT "returned_mail_days_pkey" PRIMARY KEY("day","outcome"),
	CONSTRAINT "returned_mail_days_outcome" CHECK (outcome in ('applied', 'unknownMessage', 'notBelieved', 'noNews', 'answer', 'notUnderstood'))
);
--> statement-breakpoint
ALTER TABLE "emails" ADD COLUMN "failure" text;--> statement-breakpoint
ALTER TABLE "emails" ADD COLUMN "failure_code" text;
