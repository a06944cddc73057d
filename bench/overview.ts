// How soon the dashboard can be used: from the start of the navigation until Home shows its heading and its first figures, in a
// real Chromium with nothing cached, on the instance of `bun run showcase`. `bun bench/overview.ts [visits]` prints each visit and the
// median. Aim: a second.
import { launch, signIn, visitor } from '../test/browser/open'
import { stopTestServer } from '../test/support/server'
import { type Showcase, startShowcase } from '../test/support/showcase'

const [visits = 5] = process.argv.slice(2).map(Number)

/** Runs in the page before anything else: notes when heading and figures were first in it, to the frame. */
function noteWhenShown(): void {
  const look = (): void => {
    const figure = [...document.querySelectorAll('main dd, main .tabular-nums')].some(each =>
      /\d/.test(each.textContent ?? ''),
    )
    if (figure && document.querySelector('main h1')?.textContent)
      document.documentElement.dataset.shownAt = String(performance.now())
    else requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
}

async function visit(showcase: Showcase): Promise<number> {
  const somebody = await visitor(browser, { width: 1280, theme: 'light' })
  try {
    await signIn(somebody, showcase)
    await somebody.page.addInitScript(noteWhenShown)
    await somebody.page.goto(showcase.home)
    await somebody.page.locator('html[data-shown-at]').waitFor({ state: 'attached' })
    return Number(await somebody.page.locator('html').getAttribute('data-shown-at'))
  } finally {
    await somebody.close()
  }
}

const browser = await launch()
const showcase = await startShowcase()
try {
  const times: number[] = []
  for (let nth = 0; nth < visits; nth++) times.push(await visit(showcase))
  const middle = times.toSorted((one, other) => one - other)[Math.floor(visits / 2)]!
  console.log(`Home shown after ${times.map(time => Math.round(time)).join(', ')} ms`)
  console.log(`median ${Math.round(middle)} ms`)
} finally {
  await browser.close()
  await showcase.stop()
  await stopTestServer()
}
process.exit(0)
