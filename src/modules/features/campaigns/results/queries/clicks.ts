// Clicks of campaigns by link and by contact, and opens and clicks by the hour.
import type { Context } from '../../../../../platform/context'
import type { Click } from '../counts'

/** Adds to what is known about each contact and link. In one order, so that two writers do not deadlock. */
export async function recordClicks(ctx: Context, clicks: readonly Click[]): Promise<void> {
  if (clicks.length === 0) return
  await ctx.sql`
    insert into campaign_clicks as c (project_id, campaign_id, link_hash, contact_id, link, own_clicks, provider_clicks, first_at)
    select r."projectId", r."campaignId", md5(r.link)::uuid, r."contactId", r.link, r."ownClicks", r."providerClicks", r."firstAt"
      from json_to_recordset(${JSON.stringify(clicks)}::json) as r(
           "projectId" uuid, "campaignId" uuid, "contactId" uuid, link text, "ownClicks" int, "providerClicks" int,
           "firstAt" timestamptz)
     order by 1, 2, 3, 4
    on conflict (project_id, campaign_id, link_hash, contact_id) do update
       set own_clicks = c.own_clicks + excluded.own_clicks, provider_clicks = c.provider_clicks + excluded.provider_clicks,
           first_at = least(c.first_at, excluded.first_at)`
}

export interface LinkClicks {
  link: string
  /** Contacts that followed it. */
  people: number
  clicks: number
}

/** The links that most contacts followed, most of them first. */
export async function selectLinkClicks(
  ctx: Context,
  projectId: string,
  campaignId: string,
  limit: number,
): Promise<LinkClicks[]> {
  return await ctx.sql<LinkClicks[]>`
    select min(link) as link, count(*) as people, sum(greatest(own_clicks, provider_clicks))::bigint as clicks
      from campaign_clicks
     where project_id = ${projectId}::uuid and campaign_id = ${campaignId}::uuid
     group by link_hash order by people desc, clicks desc, link_hash limit ${limit}`
}

export interface Hour {
  at: Date
  opened: number
  clicked: number
}

/** Hours before `until` in which something happened first, in order. */
export async function selectHours(
  ctx: Context,
  projectId: string,
  campaignId: string,
  until: Date,
): Promise<Hour[]> {
  return await ctx.sql<Hour[]>`
    select at, sum(opened)::bigint as opened, sum(clicked)::bigint as clicked
      from (select date_trunc('hour', opened_at, 'UTC') as at, 1 as opened, 0 as clicked from emails
             where project_id = ${projectId}::uuid and campaign_id = ${campaignId}::uuid and opened_at < ${until}
             union all
            select date_trunc('hour', clicked_at, 'UTC'), 0, 1 from emails
             where project_id = ${projectId}::uuid and campaign_id = ${campaignId}::uuid and clicked_at < ${until}) as hits
     group by at order by at`
}

export async function moveClicksOfContact(
  ctx: Context,
  { projectId, from, to }: { projectId: string; from: string; to: string },
): Promise<void> {
  await ctx.sql`
    update campaign_clicks m set contact_id = ${to}::uuid
     where m.project_id = ${projectId}::uuid and m.contact_id = ${from}::uuid
       and not exists (select from campaign_clicks k
                        where k.project_id = ${projectId}::uuid and k.campaign_id = m.campaign_id and k.link_hash = m.link_hash
                          and k.contact_id = ${to}::uuid)`
}
