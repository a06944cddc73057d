// Why an email waits, was not sent, or failed, by its code.
import { t } from '../texts'
import { providerName } from './provider-name'

interface Reasoned {
  reason: string | null
  reasonDetail: { words?: string; provider?: string } | null
}

export function sayReason({ reason, reasonDetail }: Reasoned): string {
  if (reason === null) return ''
  const text = t.messages.why.reasons[reason] ?? reason
  const provider = reasonDetail?.provider
  return provider === undefined ? text : `${providerName(provider)}: ${text}`
}

/** What the other side answered, or what is wrong. */
export function answerOf({ reasonDetail }: Reasoned): string | undefined {
  return reasonDetail?.words
}
