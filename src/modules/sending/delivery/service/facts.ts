// A message of the email log, as far as it matters for the choice of a transport and for whose turn it is.
import type { MailFacts } from '../../../../platform/transports/several/conditions'
import type { DueEmail } from '../../emails'
import type { PaceClass } from './pace'

export function factsOf({ id, projectId, mailClass, campaignId, fromEmail, toEmail }: DueEmail): MailFacts {
  // The same rule as for the headers of bulk mail.
  const kind = mailClass === 'marketing' || campaignId !== null ? 'marketing' : 'transactional'
  return { id, kind, projectId, from: fromEmail, to: toEmail }
}

export const paceClasses: Readonly<Record<DueEmail['sourceType'], PaceClass>> = {
  TRANSACTIONAL: 'transactional',
  WORKFLOW: 'workflow',
  CAMPAIGN: 'campaign',
  INBOUND: 'transactional',
}
