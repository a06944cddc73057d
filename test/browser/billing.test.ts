// Billing in the dashboard, where the instance has it on: before and after a subscription, limits, invoices. The payment provider is a server of
// this machine that speaks Stripe's protocol.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Locator } from 'playwright-core'
import { stripePayments } from '../../src/platform/payments/stripe'
import { chromiumPath } from '../support/chromium'
import { invoiceOf, type StripeServer, signEvent, startStripe } from '../support/stripe'
import { type Newcomer, startNewcomer } from './newcomer'
import { findings } from './open'

let somebody: Newcomer
let stripe: StripeServer

beforeAll(async () => {
  if (!chromiumPath) return
  stripe = startStripe()
  somebody = await startNewcomer('Payers', { payments: stripePayments(stripe.settings) })
  somebody.page.setDefaultTimeout(20_000)
})
afterAll(async () => {
  await somebody?.stop()
  stripe?.stop()
})

const customer = 'cus_payers'

/** As the provider tells of a checkout that was paid. */
async function subscribe(payer: Newcomer): Promise<void> {
  const { projectId } = payer
  const session = { client_reference_id: projectId, metadata: { projectId }, currency: 'eur', customer }
  await tell(payer, 'checkout.session.completed', { ...session, subscription: 'sub_payers' })
}

async function tell({ showcase }: Newcomer, type: string, object: Record<string, unknown>): Promise<void> {
  const { body, signature } = await signEvent(new Date(), { type, object })
  const answer = await fetch(`${showcase.url}/webhooks/incoming/stripe`, {
    method: 'POST',
    headers: { 'stripe-signature': signature, 'content-type': 'application/json' },
    body,
  })
  expect(answer.status).toBe(200)
}

const isInView = async (link: Locator): Promise<boolean> =>
  await link.evaluate(element => element.getBoundingClientRect().right <= innerWidth)

describe.skipIf(!chromiumPath)('billing', () => {
  test('leads to the checkout, and shows what a subscriber used, may use and has paid', async () => {
    const { page, showcase, projectId, complaints } = somebody
    await page.route('https://checkout.example/**', route => route.fulfill({ body: 'checkout' }))
    await page.goto(`${showcase.url}/app/${projectId}/settings`)
    await page.getByRole('link', { name: 'Billing' }).click()
    await page.getByText('No subscription').waitFor()
    expect(await page.getByLabel('Campaigns').isDisabled()).toBe(true)
    expect(await findings(somebody)).toEqual([])
    await page.getByRole('button', { name: 'Subscribe' }).click()
    await page.waitForURL('https://checkout.example/**')

    const paid = { customer, number: 'A-7', status: 'paid', amount_paid: 1_900, total: 1_900 }
    stripe.invoices.set(customer, [invoiceOf({ id: 'in_7', ...paid }), invoiceOf({ customer })])
    await subscribe(somebody)
    await page.goto(`${showcase.url}/app/${projectId}/settings/billing`)
    await page.getByText('The next invoice is €12.34 so far.').waitFor()
    await page.getByText('A-7').waitFor()
    await page.getByLabel('Campaigns').fill('5000')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('status').getByText('Saved').waitFor()
    await page.reload()
    await page.getByText('0 used this month').first().waitFor()
    expect(await page.getByLabel('Campaigns').inputValue()).toBe('5000')
    await page.setViewportSize({ width: 360, height: 740 })
    await page.reload()
    await page.getByText('A-7').waitFor()
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0)
    expect(await findings(somebody)).toEqual([])
    expect(await isInView(page.getByRole('link', { name: 'Billing' }))).toBe(true)
    expect(complaints).toEqual([])
  })

  test('still shows its invoices to who was a customer', async () => {
    const { page, showcase, projectId } = somebody
    const ended = { id: 'sub_payers', customer, metadata: { projectId }, status: 'canceled' }
    await tell(somebody, 'customer.subscription.deleted', ended)
    await page.goto(`${showcase.url}/app/${projectId}/settings/billing`)
    await page.getByText('No subscription').waitFor()
    await page.getByText('A-7').waitFor()
    expect(somebody.complaints).toEqual([])
  })
})
