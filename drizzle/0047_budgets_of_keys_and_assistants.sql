ALTER TABLE "rate_budgets" DROP CONSTRAINT "rate_budgets_kind";--> statement-breakpoint
ALTER TABLE "rate_budgets" ADD CONSTRAINT "rate_budgets_kind" CHECK (kind in ('project', 'public', 'assistant', 'key', 'user'));
