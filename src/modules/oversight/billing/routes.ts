// Billing of a project, for its members and its key, and the receiver for the payment provider, which proves its identity by a signature.

import { Elysia } from 'elysia'
import { pageHeaders } from '../../../lib/hosted-page'
import type { Context } from '../../../platform/context'
import { ownProject, projectActor } from '../../accounts/projects'
import {
  addressAnswer,
  checkoutQuery,
  consumptionAnswer,
  invoicesAnswer,
  limitsAnswer,
  limitsBody,
  readLimits,
  receivedAnswer,
  toConsumptionAnswer,
  toInvoicesAnswer,
  toLimitsAnswer,
} from './model'
import { readReturn, renderDeadReturn, renderReturn } from './page'
import {
  changeLimits,
  describeConsumption,
  describeLimits,
  findSubscriber,
  listInvoices,
  openPortal,
  receiveEvent,
  startCheckout,
} from './service'

export function billingRoutes(ctx: Context) {
  return new Elysia({ name: 'billing' })
    .use(accountRoutes(ctx))
    .use(usageRoutes(ctx))
    .use(returnRoutes(ctx))
    .use(receiverRoutes(ctx))
}

const prefix = '/users/@me/projects/:id'
const tags = ['Projects']

function accountRoutes(ctx: Context) {
  return new Elysia({ prefix, tags })
    .use(ownProject(ctx))
    .post(
      '/checkout',
      async ({ access, query }) => ({
        url: await startCheckout(ctx, projectActor(access), query.currency ?? 'usd'),
      }),
      {
        right: 'billing.manage',
        whileSuspended: true,
        query: checkoutQuery,
        response: addressAnswer,
        detail: {
          summary: 'Begin a subscription at the payment provider (usd, eur or gbp)',
          description:
            'Send the browser to the `url` of the answer. For ADMIN and OWNER; 400 for a project that has a subscription already, 404 where billing is off, 503 where the provider does not answer.',
        },
      },
    )
    .post('/billing-portal', async ({ access }) => ({ url: await openPortal(ctx, projectActor(access)) }), {
      right: 'billing.manage',
      whileSuspended: true,
      response: addressAnswer,
      detail: {
        summary: "The provider's pages about cards and invoices",
        description:
          'Send the browser to the `url` of the answer. For ADMIN and OWNER; 400 for a project that was never a customer, 404 where billing is off.',
      },
    })
    .get(
      '/billing-invoices',
      async ({ access }) => toInvoicesAnswer(await listInvoices(ctx, access.project.id)),
      {
        scope: 'secretKey',
        response: invoicesAnswer,
        detail: {
          summary: 'The newest hundred invoices',
          description:
            'As the payment provider has them; those that are not paid yet are also listed by themselves. 400 for a project that was never a customer, 404 where billing is off, 503 where the provider does not answer.',
        },
      },
    )
}

function usageRoutes(ctx: Context) {
  return new Elysia({ prefix, tags })
    .use(ownProject(ctx))
    .get(
      '/billing-limits',
      async ({ access }) => {
        const { standing, currency } = await describeLimits(ctx, access.project.id)
        return toLimitsAnswer(standing, currency)
      },
      {
        scope: 'secretKey',
        response: limitsAnswer,
        detail: {
          summary: 'Limits of the month by category, and what is used of them',
          description:
            'Each with the percentage that is used. A project without a subscription has the free tier, one limit for all categories together; where billing is off, there are no limits.',
        },
      },
    )
    .put(
      '/billing-limits',
      async ({ access, body }) => {
        const { standing, currency } = await changeLimits(ctx, projectActor(access), readLimits(body))
        return toLimitsAnswer(standing, currency)
      },
      {
        right: 'billing.manage',
        whileSuspended: true,
        body: limitsBody,
        response: limitsAnswer,
        detail: {
          summary: 'Set the limits of a subscriber',
          description:
            'All four are needed: a number, or null for no limit. For ADMIN and OWNER; 400 without a subscription. Once a limit is reached, requests to send are 429, and campaigns pause.',
        },
      },
    )
    .get(
      '/billing-consumption',
      async ({ access }) => toConsumptionAnswer(await describeConsumption(ctx, access.project.id)),
      {
        scope: 'secretKey',
        response: consumptionAnswer,
        detail: {
          summary: 'What the month has come to so far',
          description:
            'Units, credits and the upcoming invoice, by calendar month in UTC. 400 without a subscription, 404 where billing is off, 503 where the provider does not answer.',
        },
      },
    )
}

/** Where the provider sends people back to. A dashboard in front of the instance may take over this path. */
function returnRoutes(ctx: Context) {
  return new Elysia({ detail: { hide: true } }).get('/settings', async ({ request }) => {
    const link = readReturn(ctx.vault, new URL(request.url).searchParams)
    const subscriber = link && (await findSubscriber(ctx, link.projectId))
    return subscriber
      ? new Response(renderReturn(subscriber, link.outcome), { headers: pageHeaders })
      : new Response(renderDeadReturn(), { status: 404, headers: pageHeaders })
  })
}

function receiverRoutes(ctx: Context) {
  return new Elysia({ prefix: '/webhooks/incoming', tags: ['Webhooks'] }).post(
    '/stripe',
    ({ request, headers }) => receiveEvent(ctx, () => request.text(), headers['stripe-signature']),
    {
      // The signature covers the exact text of the body.
      parse: 'none',
      response: receivedAnswer,
      detail: {
        summary: 'Events of Stripe; signed with STRIPE_WEBHOOK_SECRET',
        description:
          'Keeps subscriptions and payments up to date; each event takes effect once. 400 for a wrong signature, 404 where billing is off.',
        errors: [404],
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: { type: 'object', additionalProperties: true, description: 'An event of Stripe' },
            },
          },
        },
      },
    },
  )
}
