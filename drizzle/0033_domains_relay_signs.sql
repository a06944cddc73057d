ALTER TABLE "domains" ADD COLUMN "relay_signs" boolean DEFAULT false NOT NULL;
