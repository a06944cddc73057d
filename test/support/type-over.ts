// Replacing words in the editor, as one does who looks at the page: typing begins once they are selected, which on a busy machine is a
// moment after the click.
import type { Locator } from 'playwright-core'
import { until } from './until'

/** `canvas` is the editable mail. */
export async function typeOver(canvas: Locator, words: string, by: string): Promise<void> {
  await until(`“${words}” is selected`, async () => {
    await canvas.getByText(words).click({ clickCount: 3 })
    return (await canvas.page().evaluate(() => String(getSelection()))).includes(words)
  })
  await canvas.page().keyboard.type(by)
}
