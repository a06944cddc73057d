// Workflows in the dashboard: one is drawn from an example, saved, turned on, run by an event and looked at; tried out; edited by two.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { chromiumPath } from '../support/chromium'
import { until } from '../support/until'
import { type Newcomer, startNewcomer } from './newcomer'

let somebody: Newcomer

beforeAll(async () => {
  if (!chromiumPath) return
  somebody = await startNewcomer('Hopper')
  somebody.page.setDefaultTimeout(20_000)
  await call('POST', '/templates', {
    ...{ name: 'Help', subject: 'Need a hand?', body: '<p>Hello</p>', type: 'TRANSACTIONAL' },
    from: 'hello@hopper.example',
  })
})
afterAll(async () => {
  await somebody?.stop()
})

/** As the dashboard asks the API, with its cookie. */
async function call(method: string, path: string, data?: unknown, headers: Record<string, string> = {}) {
  const { page, showcase, projectId } = somebody
  const url = `${showcase.url}${path}`
  const answer = await page.request.fetch(url, {
    // A connection that rested may be closed under a request.
    maxRetries: 2,
    method,
    data,
    headers: { 'x-project-id': projectId, ...headers },
  })
  return { status: answer.status(), body: await answer.json().catch(() => undefined) }
}

/** The list beside the graph, or the step that is chosen. */
const side = (page: Page) => page.getByRole('complementary').last()
const drawing = (page: Page) => page.getByRole('region', { name: 'Workflow graph' })

async function openWorkflows(page: Page): Promise<void> {
  const { showcase, projectId } = somebody
  await page.goto(`${showcase.url}/app/${projectId}/workflows`)
}

async function createFrom(page: Page, example: string, name: string, event: string): Promise<string> {
  await openWorkflows(page)
  await page.getByRole('button', { name: 'New workflow' }).click()
  await page.getByRole('button', { name: example }).click()
  await page.getByLabel('Name', { exact: true }).fill(name)
  await page.getByLabel('Trigger event').fill(event)
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  await page.waitForURL(/\/workflows\/[\da-f-]{36}/)
  await page.getByRole('heading', { name }).waitFor()
  return /workflows\/([\da-f-]{36})/.exec(page.url())![1]!
}

describe.skipIf(!chromiumPath)('a workflow', () => {
  test('is drawn, kept through a reload, turned on, run by an event and looked at', async () => {
    const { page, showcase } = somebody
    const id = await createFrom(page, 'Blank', 'Greeting', 'greeted')
    await drawing(page).getByRole('button', { name: 'Add a step after Trigger' }).click()
    await page.getByRole('menuitem', { name: 'Condition' }).click()
    await side(page).getByLabel('Condition type').selectOption('one')
    await side(page).getByLabel('Value of').fill('data.plan')
    await side(page).getByLabel('Value', { exact: true }).fill('pro')
    await drawing(page).getByRole('button', { name: 'Add a step after Condition, Yes' }).click()
    await page.getByRole('menuitem', { name: 'Exit', exact: true }).click()
    await side(page).getByLabel('Reason').fill('pays already')
    await drawing(page).getByRole('button', { name: 'Add a step after Condition, No' }).click()
    await page.getByRole('menuitem', { name: 'Update contact' }).click()
    await page.reload()
    await side(page).getByRole('button', { name: 'Add field' }).click()
    await side(page).getByLabel('Name', { exact: true }).fill('greeted')
    await side(page).getByLabel('Value', { exact: true }).fill('true')
    await page.getByRole('button', { name: 'Turn on' }).click()
    await page.getByText('The workflow is on').waitFor()
    const { body: whole } = await call('GET', `/workflows/${id}`)
    expect([whole.enabled, whole.steps.length, whole.transitions.length]).toEqual([true, 4, 3])
    const { body: contact } = await call('POST', '/contacts', { email: 'ada@mail.example' })
    await call('POST', `/workflows/${id}/executions`, { contactId: contact.id, context: {} })
    await showcase.drain()
    await page.getByRole('link', { name: 'Runs' }).click()
    await page.getByRole('link', { name: 'ada@mail.example' }).click()
    const way = page.getByRole('list').filter({ hasText: 'Update contact' })
    await way.getByRole('button', { name: /Update contact.*Done/ }).click()
    await page.getByText('"greeted": true').first().waitFor()
    expect(await way.getByRole('listitem').count()).toBe(3)
    // Steps that were half filled in when they were stored, and what the page that was left by the reload had stored.
    expect(somebody.complaints.splice(0).filter(each => !/409|422/.test(each))).toEqual([])
  })

  test('stores itself while it is off, and is published by a press once it is on', async () => {
    const { page } = somebody
    const id = await createFrom(page, 'Win-back', 'Alone', 'subscription.ended')
    await drawing(page)
      .getByRole('button', { name: /^Delay/ })
      .first()
      .click()
    const howLong = side(page).getByLabel('Duration')
    const days = async (): Promise<number> => {
      const { body } = await call('GET', `/workflows/${id}`)
      return body.steps.find(({ type }: { type: string }) => type === 'DELAY').config.amount
    }
    for (const amount of ['9', '11']) {
      await howLong.fill(amount)
      await until('it is stored', async () => (await days()) === Number(amount))
      expect(await howLong.inputValue()).toBe(amount)
    }
    await howLong.fill('12')
    await page.getByRole('button', { name: 'Turn on' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Turn on anyway' }).click()
    await page.getByRole('button', { name: 'Turn off' }).waitFor()
    expect(await howLong.inputValue()).toBe('12')
    await howLong.fill('13')
    await page.getByText('Unpublished changes, kept in this browser').waitFor()
    await page.reload()
    await page.getByText('Unpublished changes, kept in this browser').waitFor()
    expect([await howLong.inputValue(), await days()]).toEqual(['13', 12])
    await page.getByRole('button', { name: 'Publish changes' }).click()
    await page.getByText('Changes published').waitFor()
    expect(await days()).toBe(13)
    await howLong.fill('14')
    await page.getByRole('button', { name: 'Discard' }).click()
    expect(await howLong.inputValue()).toBe('13')
    // Off again, what is shown stores itself.
    await page.getByRole('button', { name: 'Turn off' }).click()
    await howLong.fill('15')
    await until('it is stored', async () => (await days()) === 15)
    expect(await page.getByText(/Some(?:one|body) else/).count()).toBe(0)
    expect(somebody.complaints).toEqual([])
  })

  test('changed by somebody else is not turned on unseen, and says why', async () => {
    const { page } = somebody
    const id = await createFrom(page, 'Blank', 'Unseen', 'unseen')
    await call('PATCH', `/workflows/${id}`, { description: 'theirs' })
    await page.getByRole('button', { name: 'Turn on' }).click()
    await page.getByText('Someone else changed this workflow').waitFor()
    expect((await call('GET', `/workflows/${id}`)).body.enabled).toBe(false)
    await page.getByRole('button', { name: 'Turn on' }).click()
    await page.getByRole('button', { name: 'Turn off' }).waitFor()
    expect(somebody.complaints.splice(0).join()).toContain('409')
  })

  test('stands at its delay as long as it waits there', async () => {
    const { page, showcase } = somebody
    const id = await createFrom(page, 'Win-back', 'Waiting', 'waited')
    await call('PATCH', `/workflows/${id}`, { enabled: true })
    const { body: contact } = await call('POST', '/contacts', { email: 'waits@mail.example' })
    const { body: run } = await call('POST', `/workflows/${id}/executions`, {
      contactId: contact.id,
      context: {},
    })
    await showcase.drain()
    await page.goto(`${showcase.url}/app/${somebody.projectId}/workflows/${id}/executions/${run.id}`)
    const path = page.getByRole('list').filter({ hasText: 'Delay' }).last()
    await path
      .getByRole('button', { name: /Delay.*(Waiting|Waits)/ })
      .first()
      .waitFor()
    expect(await path.getByRole('button', { name: /Delay.*Done/ }).count()).toBe(0)
  })

  test('says at its trigger which changes of a subscription count, and includes those of many if asked', async () => {
    const { page } = somebody
    const id = await createFrom(page, 'Blank', 'Welcome', 'contact.subscribed')
    await side(page).getByRole('button', { name: 'Trigger', exact: false }).first().click()
    await side(page).getByText('confirms a signup form').waitFor()
    await side(page).getByRole('button', { name: 'Change' }).first().click()
    await page.getByRole('dialog').getByLabel('Also imported and bulk-changed contacts').check()
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect((await call('GET', `/workflows/${id}`)).body.includeBulkChanges).toBe(true)
  })

  test('tells before it is on what would go wrong, and at the step', async () => {
    const { page } = somebody
    await createFrom(page, 'Trial ending', 'Trial', 'trial.started')
    await page.getByRole('button', { name: 'Turn on' }).click()
    await page.getByRole('dialog').getByText('"Say thank you" would fail').waitFor()
    await page.getByRole('button', { name: 'Go back' }).click()
    await side(page)
      .getByRole('button', { name: /Say thank you/ })
      .click()
    await side(page).getByLabel('Template').selectOption({ label: 'Help' })
    await drawing(page)
      .getByRole('button', { name: /^Delay/ })
      .click()
    await side(page).getByLabel('Duration').fill('1000')
    await page.getByText('Saved, except missing fields: Delay: A delay is at most 365 days').waitFor()
    expect(await side(page).getByText('A delay is at most').count()).toBe(0)
    await page.getByRole('button', { name: 'Show field' }).click()
    await side(page).getByText('A delay is at most 365 days').waitFor()
    // The rest is stored all the same, and what is not is kept.
    await side(page).getByLabel('Step name').fill('Much too long')
    await page.getByText('missing fields: Much too long: A delay').waitFor()
    await side(page).getByRole('button', { name: 'All steps' }).click()
    await page.getByRole('button', { name: 'Turn on' }).click()
    await side(page).getByLabel('Duration').waitFor()
    expect(await side(page).getByLabel('Duration').inputValue()).toBe('1000')
    expect(somebody.complaints.splice(0).join()).toContain('422')
  })

  test('loses a step and gets it back; of a condition one way is kept', async () => {
    const { page } = somebody
    await createFrom(page, 'Trial ending', 'Shorter', 'trial.ended')
    await side(page)
      .getByRole('button', { name: /Has upgraded/ })
      .click()
    await side(page).getByRole('button', { name: 'Remove step' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Keep “No”, remove 1 step' }).click()
    await side(page)
      .getByRole('button', { name: /Send the trial reminder/ })
      .waitFor()
    expect(await side(page).getByRole('listitem').count()).toBe(6)
    await page.getByRole('button', { name: 'Undo' }).click()
    expect(await side(page).getByRole('listitem').count()).toBe(8)
    await page.getByRole('button', { name: 'Redo' }).click()
    await page.keyboard.press('Control+z')
    await until('it is back', async () => (await side(page).getByRole('listitem').count()) === 8)
    await page.keyboard.press('Control+Shift+Z')
    await until('it is gone', async () => (await side(page).getByRole('listitem').count()) === 6)
    await page.keyboard.press('Control+s')
    await page.getByRole('status').getByText('Saved').waitFor()
    const id = /workflows\/([\da-f-]{36})/.exec(page.url())![1]!
    expect((await call('GET', `/workflows/${id}`)).body.steps).toHaveLength(6)
    // What is typed is undone as a whole, wherever the cursor is.
    await side(page)
      .getByRole('button', { name: /Send the trial reminder/ })
      .click()
    const name = side(page).getByLabel('Step name')
    await name.fill('Remind')
    await name.press('Control+z')
    expect(await name.inputValue()).toBe('Send the trial reminder')
  })

  test('has its email written in the step, which the composer leads back to', async () => {
    const { page } = somebody
    const id = await createFrom(page, 'Blank', 'Hello', 'said.hello')
    await drawing(page).getByRole('button', { name: 'Add a step after Trigger' }).click()
    await page.getByRole('menuitem', { name: 'Send email' }).click()
    await side(page).getByLabel('Step name').fill('First mail')
    await side(page).getByRole('button', { name: 'Write the email' }).click()
    await page.waitForURL(/\/templates\/[\da-f-]{36}/)
    await page.getByRole('heading', { name: 'Hello: First mail' }).waitFor()
    await page.getByRole('link', { name: 'Back to the step' }).click()
    await side(page).getByRole('link', { name: 'Edit the email' }).waitFor()
    const chosen = side(page).getByLabel('Template').locator('option:checked')
    await until('it is the one of the step', async () => (await chosen.textContent()) === 'Hello: First mail')
    const { body: whole } = await call('GET', `/workflows/${id}`)
    const step = whole.steps.find(({ type }: { type: string }) => type === 'SEND_EMAIL')
    expect([step.name, step.template.name]).toEqual(['First mail', 'Hello: First mail'])
    // Another one can be chosen as well.
    await side(page).getByLabel('Template').selectOption({ label: 'Help' })
    await side(page).getByRole('link', { name: 'Edit the email' }).click()
    await page.getByRole('heading', { name: 'Help' }).waitFor()
    expect(somebody.complaints).toEqual([])
  })

  test('says who is at a step now, and before it is published what that means for them', async () => {
    const { page, showcase } = somebody
    const id = await createFrom(page, 'Blank', 'Standing', 'stood')
    await drawing(page).getByRole('button', { name: 'Add a step after Trigger' }).click()
    await page.getByRole('menuitem', { name: 'Delay' }).click()
    await side(page).getByLabel('Duration').fill('3')
    await page.getByRole('button', { name: 'Turn on' }).click()
    await page.getByText('The workflow is on').waitFor()
    const { body: contact } = await call('POST', '/contacts', { email: 'stands@mail.example' })
    await call('POST', `/workflows/${id}/executions`, { contactId: contact.id, context: {} })
    await showcase.drain()
    await page.reload()
    await side(page).getByRole('link', { name: 'Runs at this step: 1' }).click()
    await page.getByRole('link', { name: 'stands@mail.example' }).waitFor()
    await page.getByRole('link', { name: 'At “Delay”' }).click()
    await page.getByRole('link', { name: 'Design' }).click()
    await side(page)
      .getByRole('button', { name: /Delay.*1 here now/ })
      .click()
    await side(page).getByRole('button', { name: 'Remove step' }).click()
    await page.getByRole('button', { name: 'Publish changes' }).click()
    const dialog = page.getByRole('dialog')
    await dialog
      .getByText(
        '1 contact is in this workflow and will finish it with the steps and emails from when they entered, including 1 at steps you removed.',
      )
      .waitFor()
    expect((await call('GET', `/workflows/${id}`)).body.steps).toHaveLength(2)
    await dialog.getByRole('button', { name: 'Publish changes' }).click()
    await page.getByText('Changes published').waitFor()
    expect((await call('GET', `/workflows/${id}`)).body.steps).toHaveLength(1)
    expect(somebody.complaints).toEqual([])
  })

  test('is tried out on a clock of its own', async () => {
    const { page } = somebody
    await createFrom(page, 'Abandoned cart', 'Cart', 'cart.updated')
    await page.getByRole('link', { name: 'Simulation' }).click()
    await page.getByRole('button', { name: 'Add event' }).click()
    await page.getByLabel('Event name').fill('order.placed')
    await page.getByLabel('Time after start').fill('1')
    await page.getByLabel('Unit').selectOption('hours')
    await page.getByRole('button', { name: 'Simulate' }).click()
    await page.getByText('After 1 hour').waitFor()
    await page.getByRole('button', { name: 'Previous step' }).click()
    await page.getByRole('button', { name: 'Previous step' }).click()
    await page.getByText('At the start').waitFor()
  })

  test('two people do not overwrite each other: it is a choice', async () => {
    const { page } = somebody
    const id = await createFrom(page, 'Win-back', 'Shared', 'subscription.cancelled')
    await side(page)
      .getByRole('button', { name: /Send an offer/ })
      .click()
    const { body: theirs } = await call('GET', `/workflows/${id}`)
    await call('PATCH', `/workflows/${id}/steps/${theirs.steps[1].id}`, { name: 'Wait for long' })
    await side(page).getByLabel('Step name').fill('Make no offer')
    await page.getByText('Someone else saved changes').waitFor()
    await page.getByRole('button', { name: 'Compare' }).click()
    await page.getByRole('button', { name: 'Overwrite' }).click()
    await page.getByText(/^Saved \S/).waitFor()
    const { body: now } = await call('GET', `/workflows/${id}`)
    const names = now.steps.map(({ name }: { name: string }) => name)
    expect(names).toContain('Make no offer')
    expect(names).not.toContain('Wait for long')
    expect(somebody.complaints.splice(0).join()).toContain('409')
  })
})
