CREATE INDEX "suppressions_search" ON "suppressions" USING gin ("project_id","email" gin_trgm_ops);
