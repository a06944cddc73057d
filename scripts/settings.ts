// Writes the table of settings into README.md, between its two marks, from config's table of options. A test proves it current.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { options } from '../src/settings/options'

const readme = join(import.meta.dir, '../README.md')

/** README.md as it should be. */
export function withSettings(text: string): string {
  const rows = Object.values(options).map(({ name, defaultText, meaning }) => {
    const shown =
      defaultText === '' ? 'unset' : /^[\w./<>:@-]+$/.test(defaultText) ? `\`${defaultText}\`` : defaultText
    return `| \`${name}\` | ${shown} | ${meaning} |`
  })
  const table = ['| variable | default | meaning |', '|---|---|---|', ...rows].join('\n')
  return text.replace(
    /<!-- settings -->[\s\S]*<!-- \/settings -->/,
    () => `<!-- settings -->\n${table}\n<!-- /settings -->`,
  )
}

if (import.meta.main) writeFileSync(readme, withSettings(readFileSync(readme, 'utf8')))
