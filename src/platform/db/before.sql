-- Stands before the generated statements of the initial migration: what drizzle-kit can't say and its statements need.
-- Both extensions come with PostgreSQL and are trusted, so the owner of a database may create them.
create extension if not exists pg_trgm;
create extension if not exists btree_gin;
-- A UUID v7 for rows that a statement makes by itself; `sequence` keeps those of one millisecond in order. PostgreSQL has its own
-- maker from version 18 on, which takes no time from outside.
create function uuid_v7(at timestamptz, sequence bigint) returns uuid language sql volatile parallel safe as $$
  select encode(
    int8send((floor(extract(epoch from at) * 1000)::bigint << 16) | 28672 | (sequence & 4095))
      || substring(uuid_send(gen_random_uuid()) from 9), 'hex')::uuid
$$;
