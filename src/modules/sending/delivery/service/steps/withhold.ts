// Emails that may not be sent at all, by what was known when they were taken.
import { whyWithheld } from '../../policy'
import { type EmailStep, type Make, untried } from '../step'

export const makeWithhold: Make<EmailStep> =
  () =>
  ({ facts }) => {
    const outcome = whyWithheld(facts)
    return outcome && untried(outcome)
  }
