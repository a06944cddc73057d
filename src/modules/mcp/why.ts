// Why a message has not arrived, or that it has, in words: read from its row and its tries. Pure.

/** The members of `GET /emails/:id` that tell it. */
export interface MessageFacts {
  status: string
  error: string | null
  nextAttemptAt: string | null
  scheduledFor: string | null
  deliveredAt: string | null
  tries: { outcome: string; response: string; startedAt: string }[]
}

export function explainMessage(message: MessageFacts): string {
  const { status, error, deliveredAt } = message
  switch (status) {
    case 'PENDING':
    case 'SENDING':
      return waiting(message)
    case 'SENT':
    case 'DELIVERED':
      return `A mail server took it over${deliveredAt ? ` on ${deliveredAt}` : ''}. If it is not in the inbox, that server put it elsewhere (spam, quarantine) or dropped it.`
    case 'OPENED':
    case 'CLICKED':
      return 'It arrived: the recipient opened it or followed a link.'
    case 'BOUNCED':
      return `It came back: ${error ?? lastResponse(message)}. The address is suppressed if it does not exist.`
    case 'COMPLAINED':
      return 'It arrived, and the recipient called it spam. The address gets no more mail.'
    case 'FAILED':
    case 'SKIPPED':
      return `It was not sent: ${error ?? lastResponse(message)}.`
    case 'RECEIVED':
      return 'This is mail that came in.'
    default:
      return `Its status is ${status}.`
  }
}

function waiting(message: MessageFacts): string {
  const { nextAttemptAt, scheduledFor, tries } = message
  if (tries.length > 0)
    return `It waits for another try${nextAttemptAt ? ` on ${nextAttemptAt}` : ''}. The last one ended with: ${lastResponse(message)}`
  return scheduledFor ? `It is to leave on ${scheduledFor}.` : 'It waits to be sent.'
}

function lastResponse({ tries }: MessageFacts): string {
  return tries.at(-1)?.response ?? 'no reason was recorded'
}
