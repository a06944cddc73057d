// Which transports the mail of a campaign can leave by, where there are several, and whether each of them is in a warm-up.
import type { Context } from '../../../../platform/context'
import { type MailFacts, matcherOf } from '../../../../platform/transports/several/conditions'
import type { TransportPlan } from '../../domains'

export interface TransportPlans {
  /** None unless all of them have a plan: what one of them takes no more goes by the next. */
  plans: TransportPlan[]
  /** Some of its recipients may have another transport, because of their domains. */
  isByRecipient: boolean
}

export function plansFor(
  { mail: { routes } }: Context,
  { projectId, fromEmail }: Pick<MailFacts, 'projectId'> & { fromEmail: string },
): TransportPlans {
  // Nobody's address: what is for some recipients only is left out.
  const facts = { id: '', kind: 'marketing' as const, projectId, from: fromEmail, to: '' }
  const entries = routes?.for(facts).map(({ entry }) => entry) ?? []
  const plans = entries.flatMap(({ name, warmUp }): TransportPlan[] =>
    warmUp ? [{ transport: name, plan: warmUp }] : [],
  )
  const isByRecipient =
    routes?.all.some(({ entry: { to, ...entry } }) => to !== undefined && matcherOf(entry)(facts)) ?? false
  return { plans: plans.length === entries.length ? plans : [], isByRecipient }
}
