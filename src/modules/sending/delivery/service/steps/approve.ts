// Last check of the source: whether its campaign was paused or canceled since, and whether the receiver accepts emails of that campaign.
import type { EmailStep, Make } from '../step'

export const makeApprove: Make<EmailStep> = () => async (delivery, batch) => await batch.approve?.(delivery)
