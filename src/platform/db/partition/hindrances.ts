// What keeps a table from being split by month, as sentences for the operator. Reads only the catalogue.
import type postgres from 'postgres'
import type { MonthlyTable } from './tables'

interface TableFacts {
  kind: string
  mayChange: boolean
  owner: string
  mayCreate: boolean
  clashes: string[]
  columnGrants: string[]
  foreignKeys: string[]
  triggers: string[]
  views: string[]
  publications: string[]
  halfBuilt: string[]
  keylessPrimary: boolean
  hasPolicies: boolean
  hasRelatives: boolean
  hasIdentity: boolean
}

/** Empty if nothing is in the way. */
export async function hindrancesOf(sql: postgres.Sql, { name, key }: MonthlyTable): Promise<string[]> {
  const facts = await readFacts(sql, name, key)
  if (!facts) return [`there is no table ${name} here: is this the database of Waxwing?`]
  if (facts.kind !== 'r') return [`${name} is no ordinary table`]
  const rules: [boolean, string][] = [
    [!facts.mayChange, `${name} belongs to ${facts.owner}: run this as its owner, or as a superuser`],
    [!facts.mayCreate, `the user may not make tables in the schema of ${name}: grant create on it`],
    [await isDistributed(sql, name), `${name} is distributed by Citus, which splits it already`],
    [
      facts.clashes.length > 0,
      `there are tables already that its parts would be called after: ${list(facts.clashes)}`,
    ],
    [facts.foreignKeys.length > 0, foreign(name, facts.foreignKeys)],
    [
      facts.triggers.length > 0,
      `${name} has triggers that the months would not have: ${list(facts.triggers)}`,
    ],
    [
      facts.views.length > 0,
      `views read ${name} and would go on with the first part alone: ${list(facts.views)}`,
    ],
    [
      facts.publications.length > 0,
      `${name} is published by ${list(facts.publications)}, whose subscribers know no months: take it out first`,
    ],
    [
      facts.halfBuilt.length > 0,
      `an index of ${name} is half-built (${list(facts.halfBuilt)}): wait for it, or drop it`,
    ],
    [facts.keylessPrimary, `the primary key of ${name} lacks ${key}, by which it would be split`],
    [facts.hasPolicies, `${name} has row-level security, which the months would not have`],
    [facts.hasRelatives, `${name} inherits from a table, or is inherited from`],
    [facts.hasIdentity, `${name} is replicated by an identity of its own (replica identity)`],
    [
      facts.columnGrants.length > 0,
      `columns of ${name} are granted one by one, which would be lost: ${list(facts.columnGrants)}`,
    ],
  ]
  return rules.filter(([holds]) => holds).map(([, words]) => words)
}

const list = (names: readonly string[]): string => names.join(', ')

function foreign(name: string, keys: readonly string[]): string {
  return `foreign keys from or to ${name}, none of which Waxwing makes, can't be carried over: ${list(keys)}`
}

async function readFacts(sql: postgres.Sql, table: string, key: string): Promise<TableFacts | undefined> {
  const [row] = await sql<TableFacts[]>`
    select t.relkind::text as kind, pg_has_role(t.relowner, 'USAGE') as "mayChange", pg_get_userbyid(t.relowner)::text as owner,
           has_schema_privilege(t.relnamespace, 'CREATE') as "mayCreate",
           array(select attname::text from pg_attribute where attrelid = t.oid and attacl is not null) as "columnGrants",
           array(select conname::text from pg_constraint
                  where contype = 'f' and t.oid in (conrelid, confrelid)) as "foreignKeys",
           array(select tgname::text from pg_trigger where tgrelid = t.oid and not tgisinternal) as triggers,
           array(select distinct ev_class::regclass::text from pg_depend join pg_rewrite r on r.oid = objid
                  where classid = 'pg_rewrite'::regclass and refclassid = 'pg_class'::regclass and refobjid = t.oid) as views,
           array(select pubname::text from pg_publication_rel join pg_publication p on p.oid = prpubid
                  where prrelid = t.oid) as publications,
           array(select indexrelid::regclass::text from pg_index where indrelid = t.oid and not indisvalid) as "halfBuilt",
           not exists (select from pg_index join pg_attribute on attrelid = t.oid and attnum = any(indkey)
                        where indrelid = t.oid and indisprimary and attname = ${key}) as "keylessPrimary",
           array(select relname::text from pg_class c where c.relnamespace = t.relnamespace and relname <> t.relname
                    and relname ~ ('^' || ${table}::text || '_(first|rest|[0-9]{4}_[0-9]{2})$')) as clashes,
           t.relrowsecurity or exists (select from pg_policy where polrelid = t.oid) as "hasPolicies",
           exists (select from pg_inherits where t.oid in (inhrelid, inhparent)) as "hasRelatives",
           t.relreplident <> 'd' as "hasIdentity"
      from pg_class as t where t.oid = to_regclass(quote_ident(${table}))`
  return row
}

async function isDistributed(sql: postgres.Sql, table: string): Promise<boolean> {
  const [citus] = await sql<{ some: boolean }[]>`select to_regclass('pg_dist_partition') is not null as some`
  if (!citus!.some) return false
  const rows = await sql.unsafe(
    'select from pg_dist_partition where logicalrelid = to_regclass(quote_ident($1))',
    [table],
  )
  return rows.length > 0
}
