// Somebody in a new project of their own, for tests of pages that need no story.
import { afterAll, beforeAll } from 'bun:test'
import type { Browser } from 'playwright-core'
import type { Context } from '../../src/platform/context'
import { chromiumPath } from '../support/chromium'
import { type Showcase, startShowcase } from '../support/showcase'
import { launch, signIn, type Visitor, visitor } from './open'

export interface Newcomer extends Visitor {
  showcase: Showcase
  browser: Browser
  projectId: string
  stop(): Promise<void>
}

/** `outside` takes the place of what is pretended else. */
export async function startNewcomer(
  projectName: string,
  outside?: Partial<Pick<Context, 'mail' | 'payments'>>,
): Promise<Newcomer> {
  const browser = await launch()
  const showcase = await startShowcase('account', outside)
  const somebody = await visitor(browser, { width: 1280, theme: 'light' })
  const { page } = somebody
  page.setDefaultTimeout(10_000)
  await signIn(somebody, showcase)
  const made = await page.request.post(`${showcase.url}/users/@me/projects`, { data: { name: projectName } })
  const projectId: string = (await made.json()).id
  // What a test sends leaves at once; test/browser/undo.test.ts tries what is so unless one changes it.
  const headers = { 'x-project-id': projectId }
  const settings = `${showcase.url}/users/@me/projects/${projectId}`
  await page.request.patch(settings, { headers, data: { sendDelaySeconds: 0 } })
  await page.goto(`${showcase.url}/app/${projectId}/`)
  return {
    ...somebody,
    showcase,
    browser,
    projectId,
    async stop() {
      await browser.close()
      await showcase.stop()
    },
  }
}

/** Hooks of a test file: one for all its tests, which are to be skipped where there is no Chromium. */
export function newcomer(projectName: string): Newcomer {
  const somebody = {} as Newcomer
  beforeAll(async () => {
    if (chromiumPath) Object.assign(somebody, await startNewcomer(projectName))
  })
  afterAll(async () => {
    if (chromiumPath) await somebody.stop()
  })
  return somebody
}

/** Calls the API as the newcomer, in their project. */
export function caller(somebody: () => Newcomer) {
  return async (method: string, path: string, data?: object) => {
    const { page, showcase, projectId } = somebody()
    // A connection that rested may be closed under a request.
    const options = { method, data, headers: { 'x-project-id': projectId }, maxRetries: 2 }
    const answer = await page.request.fetch(showcase.url + path, options)
    return answer.status() === 204 ? undefined : await answer.json()
  }
}
