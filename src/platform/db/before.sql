-- Stands before the generated statements of the initial migration: what drizzle-kit can't say and its statements need.
-- Both extensions come with PostgreSQL and are trusted, so the owner of a database may create them.
create extension if not exists pg_trgm;
create extension if not exists btree_gin;
