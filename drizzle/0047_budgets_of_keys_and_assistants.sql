-- waxwing: stepwise
ALTER TABLE "rate_budgets" DROP CONSTRAINT IF EXISTS "rate_budgets_kind";--> statement-breakpoint
ALTER TABLE "rate_budgets" ADD CONSTRAINT "rate_budgets_kind" CHECK (kind in ('project', 'public', 'assistant', 'key', 'user')) NOT VALID;--> statement-breakpoint
ALTER TABLE "rate_budgets" VALIDATE CONSTRAINT "rate_budgets_kind";
