// The page for people who come back from the provider's pages. It shows what is stored about the project; the address only decides the
// wording, because the confirmation may arrive later than the person. Pure.
import { escapeHtml } from '../../../lib/escape'
import { pageDocument } from '../../../lib/hosted-page'
import { isUuid } from '../../../lib/ids'
import type { Vault } from '../../../lib/vault'

export interface Subscriber {
  name: string
  isSubscribed: boolean
}

const again = '<p><a href="">Look again</a></p>'

export function renderReturn({ name, isSubscribed }: Subscriber, outcome: CheckoutOutcome): string {
  const project = `The project <bdi>${escapeHtml(name)}</bdi>`
  if (isSubscribed)
    return page('The subscription is active', `<p>${project} is subscribed. You can close this page.</p>`)
  if (outcome === 'success')
    return page(
      'Waiting for the confirmation',
      `<p>${project} is not subscribed yet. The payment provider has to confirm it, which usually takes less than a minute.</p>${again}`,
    )
  return page('No subscription', `<p>${project} is not subscribed. You can close this page.</p>`)
}

export function renderDeadReturn(): string {
  return page('This link is not valid', '<p>It may be incomplete, or the project is gone.</p>')
}

function page(title: string, body: string): string {
  return pageDocument(title, `<h1>${title}</h1>${body}`)
}

const purpose = 'billing-return'

/** How a person comes back: from a checkout that was completed or canceled, or from the portal. */
export const checkoutOutcomes = ['success', 'canceled', 'portal'] as const
export type CheckoutOutcome = (typeof checkoutOutcomes)[number]

export function returnAddress(
  vault: Vault,
  baseUrl: string,
  projectId: string,
  outcome: CheckoutOutcome,
): string {
  const hint = outcome === 'portal' ? '' : `&${outcome}=true`
  return `${baseUrl}/settings?tab=billing${hint}&project=${projectId}&t=${vault.sign(purpose, projectId)}`
}

export interface CheckoutReturn {
  projectId: string
  outcome: CheckoutOutcome
}

/** Undefined for an address that this instance did not make. */
export function readReturn(vault: Vault, query: URLSearchParams): CheckoutReturn | undefined {
  const projectId = query.get('project') ?? ''
  if (!isUuid(projectId) || !vault.verify(purpose, projectId, query.get('t') ?? '')) return undefined
  return { projectId, outcome: checkoutOutcomes.find(outcome => query.has(outcome)) ?? 'portal' }
}
