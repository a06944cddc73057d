// The HTTP application: every module's routes on the shared platform.

import type { AnyElysia } from 'elysia'
import { makeApplication, type RouteFactory } from '../http/application'
import { billingRoutes } from '../modules/billing'
import { archiveRoutes, campaignsRoutes } from '../modules/campaigns'
import { contactsRoutes } from '../modules/contacts'
import { domainRoutes } from '../modules/domains'
import { emailsRoutes } from '../modules/emails'
import { eventsRoutes } from '../modules/events'
import { trackingRoutes, webhookRoutes } from '../modules/feedback'
import { formRoutes } from '../modules/forms'
import { mcpRoutes } from '../modules/mcp'
import { metaRoutes, metricsRoutes } from '../modules/meta'
import { preferencesRoutes } from '../modules/preferences'
import { privacyRoutes, retentionRoutes } from '../modules/privacy'
import { projectsRoutes } from '../modules/projects'
import { redirectRoutes } from '../modules/redirects'
import { activityRoutes, analyticsRoutes } from '../modules/reporting'
import { securityRoutes } from '../modules/security'
import { givenConditionSql, inFilterTurn, segmentsRoutes } from '../modules/segments'
import { suppressionRoutes } from '../modules/suppressions'
import { templatesRoutes } from '../modules/templates'
import { topicsRoutes } from '../modules/topics'
import { uploadsRoutes } from '../modules/uploads'
import { usersRoutes } from '../modules/users'
import { v1Routes } from '../modules/v1'
import { verifyRoutes } from '../modules/verify'
import { webhookEndpointRoutes } from '../modules/webhooks'
import { workflowsRoutes } from '../modules/workflows'
import type { Context } from '../platform/context'
import { examine } from './examine'

/** Every module that serves routes: one line each, in the order of the module list. */
const modules: RouteFactory[] = [
  usersRoutes,
  projectsRoutes,
  domainRoutes,
  eventsRoutes,
  ctx => contactsRoutes(ctx, { readFilter: givenConditionSql, inTurn: inFilterTurn }),
  templatesRoutes,
  topicsRoutes,
  segmentsRoutes,
  emailsRoutes,
  trackingRoutes,
  webhookRoutes,
  suppressionRoutes,
  campaignsRoutes,
  preferencesRoutes,
  formRoutes,
  archiveRoutes,
  redirectRoutes,
  privacyRoutes,
  retentionRoutes,
  workflowsRoutes,
  webhookEndpointRoutes,
  securityRoutes,
  verifyRoutes,
  uploadsRoutes,
  billingRoutes,
  activityRoutes,
  analyticsRoutes,
  v1Routes,
]

/** The routes about the instance come last: they describe the application that they are part of. */
export function buildApp(ctx: Context, factories: readonly RouteFactory[] = modules): AnyElysia {
  const app: AnyElysia = makeApplication(ctx, [
    ...factories,
    () => mcpRoutes(ctx, () => app),
    () =>
      metaRoutes(
        ctx,
        () => app,
        () => examine(ctx),
      ),
  ])
  return app
}

/** What is served on METRICS_PORT. */
export function buildMetricsApp(ctx: Context): AnyElysia {
  return makeApplication(ctx, [metricsRoutes])
}
