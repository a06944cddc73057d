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
