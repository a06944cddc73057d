// The compiled program in an empty folder, a browser without a window before it, and the name server and mail server that it knows.
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import PostalMime, { type Email } from 'postal-mime'
import { launch, type Visitor, visitor } from '../browser/open'
import { type Mailbox, startMailbox } from '../support/mailbox'
import { type NameServer, startNameServer } from '../support/name-server'
import { makeFolder, type Program, removeFolder, startProgram } from '../support/program'
import { until } from '../support/until'

export interface Instance {
  folder: string
  dataDir: string
  dns: NameServer
  mailbox: Mailbox
  program: Program
  browser: Browser
  /** Who makes the first account. */
  ada: Visitor
  stop(): Promise<void>
}

/** `relays`: mail leaves by SMTP for the mailbox; otherwise nothing is set, and it stays in the outbox. */
export async function startInstance({ relays }: { relays: boolean }): Promise<Instance> {
  const folder = makeFolder()
  const dataDir = join(folder, 'data')
  const [dns, mailbox] = await Promise.all([startNameServer(), startMailbox()])
  const program = await startProgram({
    environment: {
      ...{ DATA_DIR: dataDir, PORT: '0', DNS_SERVERS: dns.address, LOG_LEVEL: 'error' },
      ...(relays && { SMTP_URL: mailbox.url }),
    },
  })
  const browser = await launch()
  const ada = await visitor(browser, { width: 1280, theme: 'light' })
  ada.page.setDefaultTimeout(60_000)
  return {
    ...{ folder, dataDir, dns, mailbox, program, browser, ada },
    async stop() {
      await browser.close()
      await program.stop()
      await mailbox.stop()
      dns.stop()
      removeFolder(folder)
    },
  }
}

export const adaAddress = 'ada@example.com'

/** From the first page of an empty instance to a project of one's own. */
export async function makeAccount({ program, ada: { page } }: Instance, project: string): Promise<void> {
  await page.goto(`${program.url}/`)
  await page.getByLabel('Email', { exact: true }).fill(adaAddress)
  await page.getByLabel('Password', { exact: true }).fill('a long password')
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByLabel('Name').fill(project)
  await page.getByRole('button', { name: 'Create project' }).click()
  await page.getByRole('heading', { name: 'Get started' }).waitFor()
  // What is sent leaves at once.
  const [, origin, projectId] = /^(.*)\/app\/([^/]+)/.exec(page.url())!
  const headers = { 'x-project-id': projectId! }
  await page.request.patch(`${origin}/users/@me/projects/${projectId}`, {
    headers,
    data: { sendDelaySeconds: 0 },
  })
}

/** By the links that are seen, one after the other. */
export async function goTo(page: Page, ...names: string[]): Promise<void> {
  for (const name of names) await page.getByRole('link', { name, exact: true }).first().click()
}

/** The newest mail to somebody that the mail server has taken. */
export async function takenMail({ taken }: Mailbox, address: string, subject: string): Promise<Email> {
  let found: Email | undefined
  await until(`"${subject}" for ${address}`, async () => {
    const mails = taken.filter(mail => mail.envelope.to === address)
    const parsed = await Promise.all(mails.map(mail => PostalMime.parse(mail.raw)))
    found = parsed.findLast(mail => mail.subject === subject)
    return found !== undefined
  })
  return found!
}
