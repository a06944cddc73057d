// A place among the emails that its source has in flight. Single emails need none: the slots of their jobs bound them.
import type { EmailStep, Make } from '../step'

export const makeSlot: Make<EmailStep> = () => async (_, batch) => {
  const leave = await batch.enter?.()
  if (!leave) return undefined
  return result => {
    leave(result)
    return undefined
  }
}
