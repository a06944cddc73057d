// A database of listmonk, as far as an import reads it: its tables have the columns and types that its own schema gives them.

/** The tables of listmonk that hold its subscribers, as its schema makes them, and one person for each case. */
export const listmonkTables = `
  create type subscriber_status as enum ('enabled', 'disabled', 'blocklisted');
  create type subscription_status as enum ('unconfirmed', 'confirmed', 'unsubscribed');
  create type list_type as enum ('public', 'private', 'temporary');
  create type list_status as enum ('active', 'archived');
  create type list_optin as enum ('single', 'double');
  create type bounce_type as enum ('soft', 'hard', 'complaint');
  create table subscribers (id serial primary key, uuid uuid not null default gen_random_uuid(), email text not null unique,
    name text not null, attribs jsonb not null default '{}', status subscriber_status not null default 'enabled',
    created_at timestamptz default now(), updated_at timestamptz default now());
  create table lists (id serial primary key, uuid uuid not null unique default gen_random_uuid(), name text not null, optin list_optin not null default 'single',
    type list_type not null default 'public', status list_status not null default 'active', tags varchar(100)[], description text not null default '');
  create table subscriber_lists (subscriber_id int references subscribers, list_id int references lists, meta jsonb not null default '{}',
    status subscription_status not null default 'unconfirmed', created_at timestamptz default now(), updated_at timestamptz default now(),
    primary key (subscriber_id, list_id));
  create table bounces (id serial primary key, subscriber_id int not null references subscribers, type bounce_type not null);
  insert into lists (name, optin) values ('Weekly', 'single'), ('Monthly', 'double');
  insert into subscribers (email, name, attribs, status) values
    ('single@example.com', 'S', '{"city": "Oslo"}', 'enabled'), ('waiting@example.com', 'W', '{}', 'enabled'),
    ('confirmed@example.com', 'C', '{}', 'enabled'), ('left@example.com', 'L', '{}', 'enabled'),
    ('blocked@example.com', 'B', '{}', 'blocklisted'), ('bounced@example.com', 'H', '{}', 'blocklisted');
  insert into subscriber_lists (subscriber_id, list_id, status) values
    (1, 1, 'unconfirmed'), (2, 2, 'unconfirmed'), (3, 2, 'confirmed'), (4, 1, 'unsubscribed'), (5, 1, 'unsubscribed'), (6, 1, 'unsubscribed');
  insert into bounces (subscriber_id, type) values (3, 'soft'), (6, 'hard');`

/** What else its schema has that is imported: templates, campaigns and links. */
export const listmonkContentTables = `
  create type template_type as enum ('campaign', 'campaign_visual', 'tx');
  create type campaign_status as enum ('draft', 'running', 'scheduled', 'paused', 'cancelled', 'finished');
  create type campaign_type as enum ('regular', 'optin');
  create type content_type as enum ('richtext', 'html', 'plain', 'markdown', 'visual');
  create table templates (id serial primary key, name text not null, type template_type not null default 'campaign', subject text not null,
    body text not null, body_source text, is_default boolean not null default false);
  create table campaigns (id serial primary key, uuid uuid not null unique default gen_random_uuid(), name text not null, subject text not null,
    from_email text not null, body text not null, altbody text, content_type content_type not null default 'richtext', headers jsonb not null
    default '[]', status campaign_status not null default 'draft', type campaign_type default 'regular', messenger text not null default 'email',
    template_id int references templates on delete set null, send_at timestamptz, tags varchar(100)[]);
  create table campaign_lists (id bigserial primary key, campaign_id int not null references campaigns, list_id int references lists,
    list_name text not null default '');
  create table campaign_media (campaign_id int references campaigns, media_id int, filename text not null default '');
  create table links (id serial primary key, uuid uuid not null unique, url text not null unique);
  create table settings (key text not null unique, value jsonb not null default '{}');
  insert into settings (key, value) values ('app.root_url', '"https://lists.example.com"'), ('app.lang', '"de"'),
    ('app.from_email', '"Lists <lists@sender.test>"'), ('smtp', '[]');`
