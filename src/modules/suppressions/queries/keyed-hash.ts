// How an erased address is known again: HMAC-SHA-256 of the address with a key of the instance. Written out in SQL (RFC 2104), so that a
// statement that looks at many messages asks about all of them. Pure.
import type postgres from 'postgres'
import type { Context } from '../../../platform/context'

export type Fragment = postgres.PendingQuery<postgres.Row[]>

/** Of two expressions: the project, and an address in its stored spelling. Hashes of one address differ between projects. */
export function keyedHash(
  { sql, vault }: Context,
  { projectId, email }: Record<'projectId' | 'email', Fragment>,
): Fragment {
  const { inner, outer } = vault.addressKey
  return sql`
    sha256(${outer}::bytea || sha256(${inner}::bytea || convert_to(${projectId}::text || ' ' || ${email}, 'UTF8')))`
}

/**
 * The hashes under which an address may have been erased, as an array: that of its spelling, and beyond ASCII that of its form in Punycode,
 * which addresses had before they had one spelling. A hash can't be spelled again.
 */
export function erasedHashes(
  ctx: Context,
  { projectId, email }: Record<'projectId' | 'email', Fragment>,
): Fragment {
  return ctx.sql`
    array[${keyedHash(ctx, { projectId, email })},
          case when octet_length(${email}) <> char_length(${email})
               then ${keyedHash(ctx, { projectId, email: ctx.sql`punycode_address(${email})` })} end]`
}
