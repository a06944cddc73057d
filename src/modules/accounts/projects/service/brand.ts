// The brand of a project: reading it, and changing parts of it.
import type { Static } from 'elysia'
import { differing, isEmpty } from '../../../../lib/differing'
import { invalid, notFound } from '../../../../lib/errors'
import type { PageBrand } from '../../../../lib/hosted-page'
import { type Context, inTransaction } from '../../../../platform/context'
import { addressOfFile, keyOfAddress } from '../../../../platform/files/address'
import {
  type Brand,
  type BrandChanges,
  type BrandVariables,
  brandDetails,
  brandOf,
  brandVariables,
  requireBrand,
} from '../brand'
import { type BrandBody, type brandAnswer, toBrand } from '../brand-model'
import { selectProject, updateBrand } from '../queries'
import { recordAudit } from './audit'
import { changedMeanwhile, type ProjectActor, requireInstant } from './settings'

type BrandAnswer = Static<typeof brandAnswer>

export async function describeBrand(ctx: Context, projectId: string): Promise<BrandAnswer> {
  const project = await selectProject(ctx, projectId)
  if (!project) throw notFound('Project', projectId)
  return toBrand(ctx, project)
}

/** What templates read of it; undefined for a project that is gone. */
export async function readBrandVariables(
  ctx: Context,
  projectId: string,
): Promise<BrandVariables | undefined> {
  const project = await selectProject(ctx, projectId)
  return project && brandVariables(project.name, brandOf(project.brand), key => addressOfFile(ctx, key))
}

/** What pages for readers show of it: the color only where somebody chose one. */
export function pageBrand(ctx: Context, name: string, stored: Partial<Brand> | null): PageBrand {
  const { logo, logoWidth } = brandOf(stored)
  return {
    ...{ name, logoWidth, accent: stored?.accentColor ?? null },
    logo: logo === null ? null : addressOfFile(ctx, logo),
  }
}

/** What the body leaves out stays. */
export async function changeBrand(
  ctx: Context,
  { projectId, by }: ProjectActor,
  { expectedUpdatedAt, ...body }: BrandBody,
): Promise<BrandAnswer> {
  const expected = expectedUpdatedAt === undefined ? undefined : requireInstant(expectedUpdatedAt)
  const stored = await describeBrand(ctx, projectId)
  const { logo, ...changes }: BrandChanges = differing(requireBrand(body), stored)
  if (logo !== undefined) Object.assign(changes, { logo: logo && (await requireLogo(ctx, projectId, logo)) })
  if (isEmpty(changes)) return stored
  return await inTransaction(ctx, async tx => {
    const row = await updateBrand(tx, projectId, changes, expected)
    if (!row) throw expected ? changedMeanwhile() : notFound('Project', projectId)
    await recordAudit(tx, {
      ...{ projectId, actor: by, action: 'project.brandChanged' as const },
      details: brandDetails(changes),
    })
    return toBrand(tx, row)
  })
}

/** The key of an image that this project uploaded, in a form that email clients show. */
async function requireLogo(ctx: Context, projectId: string, address: string): Promise<string> {
  const key = keyOfAddress(ctx, projectId, address)
  const wrong = (message: string): Error =>
    invalid([{ field: 'logo', message, code: 'invalid_string', received: address }])
  if (key === undefined) throw wrong('Must be the URL of an image uploaded to this project')
  if (key.endsWith('.webp')) throw wrong('Must be a PNG, JPEG, or GIF: several email clients show no WebP')
  const file = await ctx.files.read(key)
  if (!file) throw wrong('Must be the URL of an image uploaded to this project')
  if (file.content instanceof ReadableStream) await file.content.cancel()
  return key
}
