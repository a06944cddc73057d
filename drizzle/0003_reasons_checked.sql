-- waxwing: stepwise
ALTER TABLE "emails" VALIDATE CONSTRAINT "emails_reason";
--> statement-breakpoint
ALTER TABLE "emails" VALIDATE CONSTRAINT "emails_reason_known";
