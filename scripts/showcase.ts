// An instance that looks as if it had been in use for a while, with a database of its own in memory: `bun run showcase` keeps it running
// until Ctrl+C (with --empty: as a newcomer finds it), `bun run screenshots DIR [NAME]` takes pictures of its pages (of those whose name
// contains NAME), `bun run images` those of the documentation.
import { takeDocumentPictures } from '../test/browser/document-pictures'
import { takePictures } from '../test/browser/pictures'
import { stopTestServer } from '../test/support/server'
import { type Showcase, startShowcase } from '../test/support/showcase'

async function main(): Promise<void> {
  try {
    const showcase = await startShowcase(process.argv.includes('--empty') ? 'nothing' : 'story')
    await use(showcase)
    await showcase.stop()
  } finally {
    await stopTestServer()
  }
}

async function use(showcase: Showcase): Promise<void> {
  const [command, folder, name] = process.argv.slice(2)
  if (command === 'pictures') {
    if (!folder) throw new Error('say which folder the pictures go to')
    return await takePictures(showcase, folder, name)
  }
  if (command === 'images') return await takeDocumentPictures(showcase)
  const { home, email, password } = showcase
  console.log(`${home}\nsign in as ${email} with "${password}"; Ctrl+C ends it`)
  const timer = setInterval(() => void showcase.drain(), 2_000)
  await new Promise<void>(resolve => process.once('SIGINT', resolve).once('SIGTERM', resolve))
  clearInterval(timer)
}

await main()
process.exit(0)
