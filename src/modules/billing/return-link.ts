// The addresses at which people come back from the provider's pages. They are signed, because the person who comes back need not be
// signed in here: a checkout may have been asked for with a key. Pure.
import { isUuid } from '../../lib/ids'
import type { Vault } from '../../platform/vault'

const purpose = 'billing-return'

/** How a person comes back: from a checkout that was completed or cancelled, or from the portal. */
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
