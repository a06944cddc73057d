// Writes the table of settings into README.md, between its two marks, from the table in src/settings. A test checks that it is current.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { allSettings } from '../src/settings/config'
import { defaultText } from '../src/settings/setting'

const readme = join(import.meta.dir, '../README.md')

/** README.md as it should be. */
export function withSettings(text: string): string {
  const rows = allSettings.map(setting => {
    const words = defaultText(setting)
    const shown = words === '' ? 'unset' : /^[\w./<>:@-]+$/.test(words) ? `\`${words}\`` : words
    return `| \`${setting.name}\` | ${shown} | ${setting.meaning} |`
  })
  const table = ['| variable | default | meaning |', '|---|---|---|', ...rows].join('\n')
  return text.replace(
    /<!-- settings -->[\s\S]*<!-- \/settings -->/,
    () => `<!-- settings -->\n${table}\n<!-- /settings -->`,
  )
}

if (import.meta.main) writeFileSync(readme, withSettings(readFileSync(readme, 'utf8')))
