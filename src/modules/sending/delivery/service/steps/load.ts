// The row of an email: its batch has taken it (PENDING to SENDING), and the release writes the outcome. If an error stopped the email, nothing
// is written: its job takes it again, as it does after a crash.
import type { EmailStep, Make } from '../step'

export const makeLoad: Make<EmailStep> = () => (delivery, batch) => async result => {
  if (!result) return undefined
  const isSettled = await batch.settle({ ...delivery.extra, ...result, email: delivery.email })
  return { ...result, isSettled }
}
