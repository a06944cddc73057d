// Names of events that an endpoint or a workflow is to wait for: one that is never recorded would wait forever.
import { invalid } from '../../../lib/errors'
import { isMistakenName } from '../../../lib/event-names'
import type { Context } from '../../../platform/context'
import { mistakenFault } from '../names'
import { selectCount } from '../queries'

/** Throws 422 for names that look like Waxwing's own and are none, unless the project has recorded such an event itself. */
export async function requireAwaitable(
  ctx: Context,
  projectId: string,
  names: ReadonlyArray<{ name: string; field: string }>,
): Promise<void> {
  const faults = []
  for (const { name, field } of names) {
    const mistaken = isMistakenName(name)
    if (!mistaken) continue
    if (mistaken === 'always' || (await selectCount(ctx, projectId, name)) === 0)
      faults.push(mistakenFault(name, field))
  }
  if (faults.length > 0) throw invalid(faults)
}
