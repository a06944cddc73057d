// A world with billing on: a server that speaks Stripe's protocol, and projects that subscribe the way they do in production.
import type { AnyElysia } from 'elysia'
import { monthOf } from '../../src/lib/time'
import type { PerCategory } from '../../src/modules/oversight/billing/allowance'
import { rollUpEmailCounts } from '../../src/modules/sending/emails/service'
import { stripePayments } from '../../src/platform/payments/stripe'
import { buildApp } from '../../src/server/app'
import { type Answer, type RequestOptions, request } from './request'
import { signEvent, startStripe } from './stripe'
import { makeWorld, type World } from './world'

export type BillingWorld = Awaited<ReturnType<typeof billingWorld>>

const sources = {
  workflows: 'WORKFLOW',
  campaigns: 'CAMPAIGN',
  transactional: 'TRANSACTIONAL',
  inbound: 'INBOUND',
} as const

/** Turns billing on in a world; a new one where none is given. */
export async function billingWorld(given?: World) {
  const world = given ?? (await makeWorld())
  const stripe = startStripe()
  Object.assign(world.ctx, { payments: stripePayments(stripe.settings) })
  const app = buildApp(world.ctx)
  const call = (method: string, path: string, options: RequestOptions = {}): Promise<Answer> =>
    request(app, method, path, { key: world.project.secretKey, ...options })
  const about = (method: string, path: string, options?: RequestOptions): Promise<Answer> =>
    call(method, `/users/@me/projects/${world.project.id}/${path}`, options)
  const deliver = async (type: string, object: Record<string, unknown>, id?: string): Promise<Answer> => {
    const { body, signature } = await signEvent(world.clock.now(), { type, object, ...(id ? { id } : {}) })
    return request(app, 'POST', '/webhooks/incoming/stripe', {
      body,
      headers: { 'stripe-signature': signature },
    })
  }
  return {
    world,
    app: app as AnyElysia,
    stripe,
    call,
    about,
    deliver,
    /** Completes a checkout for the project; answers its ids at the provider. */
    async subscribe() {
      const suffix = crypto.randomUUID().slice(0, 8)
      const ids = { customer: `cus_${suffix}`, subscription: `sub_${suffix}` }
      const { id: projectId } = world.project
      const ours = { client_reference_id: projectId, metadata: { projectId } }
      const session = { ...ours, currency: 'eur', ...ids }
      const { status } = await deliver('checkout.session.completed', session)
      if (status !== 200) throw new Error(`the checkout was refused: ${status}`)
      return ids
    },
    setLimits: (limits: Partial<PerCategory<number | string | null>>) =>
      about('PUT', 'billing-limits', {
        body: { workflows: null, campaigns: null, transactional: null, inbound: null, ...limits },
      }),
    /** As if so many messages had been made this month. */
    async use(category: keyof typeof sources, used: number, units = used, projectId = world.project.id) {
      await world.ctx.sql`
        insert into usage_months (project_id, month, source_type, used, units)
        values (${projectId}, ${monthOf(world.clock.now())}::text::date, ${sources[category]}, ${used}, ${units})
        on conflict (project_id, month, source_type) do update
           set used = usage_months.used + excluded.used, units = usage_months.units + excluded.units`
    },
    fold: () => rollUpEmailCounts(world.ctx),
    async close() {
      stripe.stop()
      await world.close()
    },
  }
}
