// Whether what a request wants rendered can be parsed at all: reported to whoever sends it, instead of showing in the recipient's mail.

import { invalid } from '../../../../lib/errors'
import { hasDelimiters } from '../../../../liquid/syntax'
import type { Context } from '../../../../platform/context'
import { perContext } from '../../../../platform/per-context'
import { syntaxFaults } from '../../../sending/templates'

/** Characters of the sources that are known to be readable: those who send the same again are not checked again. */
const maxKnown = 4_000_000

interface Known {
  sources: Set<string>
  length: number
}

const knownOf = perContext<Known>(() => ({ sources: new Set(), length: 0 }))

/** 422 with the place of the first fault. Text without any `{{` or `{%` is never looked at. */
export async function refuseUnreadable(
  ctx: Context,
  projectId: string,
  { subject, body, text }: Record<'subject' | 'body' | 'text', string | null>,
): Promise<void> {
  const known = knownOf(ctx)
  for (const [field, source] of Object.entries({ subject, body, text })) {
    if (source === null || !hasDelimiters(source) || known.sources.has(source)) continue
    const faults = await syntaxFaults(projectId, { [field]: source })
    if (faults.length > 0) throw invalid(faults)
    remember(known, source)
  }
}

function remember(known: Known, source: string): void {
  if (known.length + source.length > maxKnown) {
    known.sources.clear()
    known.length = 0
  }
  known.sources.add(source)
  known.length += source.length
}
