// Why a message did not arrive, in a sentence.
import { t } from '../../texts'
import type { Mail } from './data'

export function whyNot({ status, error, complainedAt }: Mail): string | undefined {
  const said = (error ?? '').replace(/\.$/, '')
  if (status === 'COMPLAINED' || complainedAt) return t.messages.why.complained
  if (status === 'BOUNCED') return t.messages.why.bounced(said)
  if (status === 'PENDING' && error) return t.messages.why.waiting(said)
  if (status === 'SKIPPED') return t.messages.why.skipped(said)
  if (status !== 'FAILED') return undefined
  return said.startsWith('address is suppressed') ? t.messages.why.suppressed : t.messages.why.failed(said)
}
