// The HTTP application: every module's routes on the shared platform.

import type { AnyElysia } from 'elysia'
import { makeApplication, type RouteFactory } from '../http/application'
import { projectsRoutes } from '../modules/accounts/projects'
import { usersRoutes } from '../modules/accounts/users'
import { mcpRoutes } from '../modules/api/mcp'
import { metaRoutes, metricsRoutes } from '../modules/api/meta'
import { uploadsRoutes } from '../modules/api/uploads'
import { v1Routes } from '../modules/api/v1'
import { webhookEndpointRoutes } from '../modules/api/webhooks'
import { contactsRoutes } from '../modules/audience/contacts'
import { eventsRoutes } from '../modules/audience/events'
import { suppressionRoutes } from '../modules/audience/suppressions'
import { topicsRoutes } from '../modules/audience/topics'
import { verifyRoutes } from '../modules/audience/verify'
import { archiveRoutes, campaignsRoutes } from '../modules/features/campaigns'
import { formRoutes } from '../modules/features/forms'
import { givenConditionSql, inFilterTurn, segmentsRoutes } from '../modules/features/segments'
import { workflowsRoutes } from '../modules/features/workflows'
import { billingRoutes } from '../modules/oversight/billing'
import { privacyRoutes, retentionRoutes } from '../modules/oversight/privacy'
import { activityRoutes, analyticsRoutes } from '../modules/oversight/reporting'
import { securityRoutes } from '../modules/oversight/security'
import { domainRoutes } from '../modules/sending/domains'
import { emailsRoutes } from '../modules/sending/emails'
import { trackingRoutes, webhookRoutes } from '../modules/sending/feedback'
import { preferencesRoutes } from '../modules/sending/preferences'
import { redirectRoutes } from '../modules/sending/redirects'
import { templatesRoutes } from '../modules/sending/templates'
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
