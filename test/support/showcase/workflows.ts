// A workflow with branches, drawn as the editor of the dashboard saves it.
import type { Story } from './story'

const days = (amount: number) => ({ amount, unit: 'days' })

/** Thanks for an order, asks for a review, and notices large teams. */
export async function makeDrawnWorkflow(story: Story, templateIds: Record<string, string>): Promise<void> {
  const { body: made } = await story.call('POST', '/workflows', {
    name: 'After an order',
    eventName: 'order.placed',
    allowReentry: true,
  })
  const { body: whole } = await story.call('GET', `/workflows/${made.id}`)
  const { id: trigger, name, config } = whole.steps[0]
  const step = (type: string, name: string, config: object = {}, templateId: string | null = null) => ({
    ...{ id: Bun.randomUUIDv7(), type, name, config, templateId },
  })
  const receipt = step('SEND_EMAIL', 'Send the receipt', {}, templateIds['Receipt'])
  const large = step('CONDITION', 'Is it a large team?', {
    field: 'data.seats',
    operator: 'greaterThan',
    value: 12,
  })
  const tell = step('WEBHOOK', 'Tell the sales team', { url: 'https://hooks.fernway.example/sales' })
  const mark = step('UPDATE_CONTACT', 'Mark as large', { updates: { segment: 'large' } })
  const breathe = step('DELAY', 'Let them try it', days(3))
  const wait = step('WAIT_FOR_EVENT', 'Wait for an invitation', {
    eventName: 'invite.sent',
    timeout: 432_000,
  })
  const done = step('EXIT', 'They like it', { reason: 'invited somebody' })
  const help = step('SEND_EMAIL', 'Offer help', {}, templateIds['Welcome'])
  const lead = (from: string, to: { id: string }, more: object = {}) => ({
    fromStepId: from,
    toStepId: to.id,
    ...more,
  })
  await story.call('PUT', `/workflows/${made.id}/graph`, {
    steps: [
      { id: trigger, type: 'TRIGGER', name, config },
      receipt,
      large,
      mark,
      tell,
      breathe,
      wait,
      done,
      help,
    ],
    transitions: [
      lead(trigger, receipt),
      lead(receipt.id, large),
      lead(large.id, mark, { branch: 'yes' }),
      lead(large.id, breathe, { branch: 'no' }),
      lead(mark.id, tell),
      lead(breathe.id, wait),
      lead(wait.id, done, { waitOutcome: 'EVENT' }),
      lead(wait.id, help, { waitOutcome: 'TIMEOUT' }),
    ],
  })
  await story.call('PATCH', `/workflows/${made.id}`, { enabled: true })
}
