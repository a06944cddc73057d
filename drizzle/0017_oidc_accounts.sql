-- waxwing: stepwise
-- One more way of signing in: what the older check allowed, the newer one does, too.
ALTER TABLE "users" DROP CONSTRAINT IF EXISTS "users_type";--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_type" CHECK (type in ('PASSWORD', 'GITHUB_OAUTH', 'GOOGLE_OAUTH', 'OIDC')) NOT VALID;--> statement-breakpoint
ALTER TABLE "users" VALIDATE CONSTRAINT "users_type";
