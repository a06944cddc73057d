// The HTTP application: every module's routes on the shared platform.
import type { AnyElysia } from 'elysia'
import { makeApplication, type RouteFactory } from '../http/application'
import { activityRoutes } from '../modules/activity/routes'
import { analyticsRoutes } from '../modules/analytics/routes'
import { billingRoutes } from '../modules/billing/routes'
import { campaignsRoutes } from '../modules/campaigns/routes'
import { contactsRoutes } from '../modules/contacts/routes'
import { domainRoutes } from '../modules/domains/routes'
import { emailsRoutes } from '../modules/emails/routes'
import { eventsRoutes } from '../modules/events/routes'
import { trackingRoutes } from '../modules/feedback/routes/tracking'
import { webhookRoutes } from '../modules/feedback/routes/webhooks'
import { figureRoutes, metaRoutes } from '../modules/meta/routes'
import { preferencesRoutes } from '../modules/preferences/routes'
import { projectsRoutes } from '../modules/projects/routes'
import { securityRoutes } from '../modules/security/routes'
import { segmentsRoutes } from '../modules/segments/routes'
import { givenConditionSql } from '../modules/segments/service'
import { suppressionRoutes } from '../modules/suppressions/routes'
import { templatesRoutes } from '../modules/templates/routes'
import { uploadsRoutes } from '../modules/uploads/routes'
import { usersRoutes } from '../modules/users/routes'
import { v1Routes } from '../modules/v1/routes'
import { verifyRoutes } from '../modules/verify/routes'
import { workflowsRoutes } from '../modules/workflows/routes'
import type { Context } from '../platform/context'

/** Every module that serves routes: one line each, in the order of the module list. */
const modules: RouteFactory[] = [
  usersRoutes,
  projectsRoutes,
  domainRoutes,
  eventsRoutes,
  ctx => contactsRoutes(ctx, { readFilter: givenConditionSql }),
  templatesRoutes,
  segmentsRoutes,
  emailsRoutes,
  trackingRoutes,
  webhookRoutes,
  suppressionRoutes,
  campaignsRoutes,
  preferencesRoutes,
  workflowsRoutes,
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
  const app: AnyElysia = makeApplication(ctx, [...factories, () => metaRoutes(ctx, () => app)])
  return app
}

/** What is served on METRICS_PORT. */
export function buildFigures(ctx: Context): AnyElysia {
  return makeApplication(ctx, [figureRoutes])
}
