// Campaigns over HTTP, part by part.
import { Elysia } from 'elysia'
import type { Context } from '../../../platform/context'
import { draftRoutes } from './authoring/routes/drafts'
import { previewRoutes } from './authoring/routes/preview'
import { resultRoutes } from './results/routes'
import { abTestRoutes } from './sending/routes/ab-test'
import { approvalRoutes } from './sending/routes/approval'
import { receiverRoutes } from './sending/routes/receivers'
import { transitionRoutes } from './sending/routes/transitions'

export function campaignsRoutes(ctx: Context) {
  return new Elysia({ prefix: '/campaigns', tags: ['Campaigns'] })
    .use(draftRoutes(ctx))
    .use(transitionRoutes(ctx))
    .use(approvalRoutes(ctx))
    .use(previewRoutes(ctx))
    .use(resultRoutes(ctx))
    .use(abTestRoutes(ctx))
    .use(receiverRoutes(ctx))
}
