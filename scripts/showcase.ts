// An instance that looks lived in, with a database of its own in memory: `bun run showcase` keeps it running until Ctrl+C (with --empty: as
// a newcomer finds it), `bun run screenshots DIR [NAME]` takes pictures of its pages (of those whose name holds NAME).
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { takePictures } from '../test/browser/pictures'
import { startTestServer } from '../test/support/server'
import { type Showcase, startShowcase } from '../test/support/showcase'
import { prepareTemplate } from '../test/support/template'

async function main(): Promise<void> {
  const scratch = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'waxwing-showcase-'))
  const server = await startTestServer(scratch)
  try {
    await prepareTemplate(server.url, 'waxwing_showcase')
    Object.assign(process.env, { TEST_SERVER_URL: server.url, TEST_TEMPLATE: 'waxwing_showcase' })
    const showcase = await startShowcase(process.argv.includes('--empty') ? 'nothing' : 'story')
    await use(showcase)
    await showcase.stop()
  } finally {
    await server.stop()
    rmSync(scratch, { recursive: true, force: true })
  }
}

async function use(showcase: Showcase): Promise<void> {
  const [command, folder, name] = process.argv.slice(2)
  if (command === 'pictures') {
    if (!folder) throw new Error('say which folder the pictures go to')
    return await takePictures(showcase, folder, name)
  }
  const { home, email, password } = showcase
  console.log(`${home}\nsign in as ${email} with "${password}"; Ctrl+C ends it`)
  const timer = setInterval(() => void showcase.drain(), 2_000)
  await new Promise<void>(resolve => process.once('SIGINT', resolve).once('SIGTERM', resolve))
  clearInterval(timer)
}

await main()
process.exit(0)
