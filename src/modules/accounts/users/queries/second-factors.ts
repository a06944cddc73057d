// SQL of second factors. What counts once is a compare-and-set: the step of a code, a recovery code, the confirmation.
import type { Context } from '../../../../platform/context'

export interface SecondFactorRow {
  secretSealed: string
  confirmedAt: Date | null
}

export async function selectSecondFactor(ctx: Context, userId: string): Promise<SecondFactorRow | undefined> {
  const [row] = await ctx.sql<SecondFactorRow[]>`
    select secret_sealed as "secretSealed", confirmed_at as "confirmedAt"
      from second_factors where user_id = ${userId}::uuid`
  return row
}

/** Whether an account that signs in with a password does so with the password alone. */
export async function lacksSecondFactor(ctx: Context, userId: string): Promise<boolean> {
  const rows = await ctx.sql`
    select 1 from users u
     where u.id = ${userId}::uuid and u.type = 'PASSWORD'
       and not exists (select 1 from second_factors where user_id = u.id and confirmed_at is not null)`
  return rows.length > 0
}

/** Whether an account proves more than a password; nobody takes its second factor off before the transaction ends. */
export async function holdSecondFactor(tx: Context, userId: string): Promise<boolean> {
  const rows = await tx.sql`
    select 1 from second_factors where user_id = ${userId}::uuid and confirmed_at is not null for share`
  return rows.length > 0 || !(await lacksSecondFactor(tx, userId))
}

/** Begins, or begins anew as long as nothing is confirmed; false if something is. */
export async function beginSecondFactor(
  ctx: Context,
  userId: string,
  secretSealed: string,
): Promise<boolean> {
  const rows = await ctx.sql`
    insert into second_factors as f (user_id, secret_sealed, created_at)
    values (${userId}::uuid, ${secretSealed}, ${ctx.clock.now()}::timestamptz)
    on conflict (user_id) do update
       set secret_sealed = excluded.secret_sealed, created_at = excluded.created_at, last_step = null
     where f.confirmed_at is null
    returning 1`
  return rows.length > 0
}

/** False if the secret has changed meanwhile, or is confirmed already. */
export async function confirmSecondFactor(
  ctx: Context,
  userId: string,
  { secretSealed, step }: { secretSealed: string; step: number },
): Promise<boolean> {
  const rows = await ctx.sql`
    update second_factors set confirmed_at = ${ctx.clock.now()}::timestamptz, last_step = ${step}
     where user_id = ${userId}::uuid and secret_sealed = ${secretSealed} and confirmed_at is null
    returning 1`
  return rows.length > 0
}

/** Uses the code of a time step; false if it, or a later one, was used before. */
export async function takeStep(ctx: Context, userId: string, step: number): Promise<boolean> {
  const rows = await ctx.sql`
    update second_factors set last_step = ${step}
     where user_id = ${userId}::uuid and confirmed_at is not null and (last_step is null or last_step < ${step})
    returning 1`
  return rows.length > 0
}

export async function takeRecoveryCode(ctx: Context, userId: string, codeHash: string): Promise<boolean> {
  const rows = await ctx.sql`
    delete from recovery_codes where user_id = ${userId}::uuid and code_hash = ${codeHash} returning 1`
  return rows.length > 0
}

/** The new codes replace all others. */
export async function replaceRecoveryCodes(ctx: Context, userId: string, hashes: string[]): Promise<void> {
  await ctx.sql`delete from recovery_codes where user_id = ${userId}::uuid`
  await ctx.sql`
    insert into recovery_codes (user_id, code_hash)
    select ${userId}::uuid, hash from unnest(${hashes}::text[]) as made(hash)`
}

export async function countRecoveryCodes(ctx: Context, userId: string): Promise<number> {
  const [row] = await ctx.sql<[{ total: number }]>`
    select count(*)::int as total from recovery_codes where user_id = ${userId}::uuid`
  return row.total
}

/** Deletes the second factor with its recovery codes; false if there was none in force. */
export async function deleteSecondFactor(ctx: Context, userId: string): Promise<boolean> {
  await ctx.sql`delete from recovery_codes where user_id = ${userId}::uuid`
  const rows = await ctx.sql`
    delete from second_factors where user_id = ${userId}::uuid and confirmed_at is not null returning 1`
  return rows.length > 0
}

/** Deletes what was begun before `before` and never confirmed. */
export async function deleteUnconfirmedFactors(ctx: Context, before: Date): Promise<void> {
  await ctx.sql`
    delete from second_factors where confirmed_at is null and created_at < ${before}::timestamptz`
}
