// The settings as text, made from the table of them.
import { allSettings } from '../settings/config'
import { defaultText } from '../settings/setting'

export function help(usage: string): string {
  const width = Math.max(...allSettings.map(({ name }) => name.length))
  const settings = allSettings.map(setting => {
    const shown = defaultText(setting)
    return `  ${setting.name.padEnd(width)}  ${setting.meaning}${shown ? ` [${shown}]` : ''}`
  })
  return [
    usage,
    '',
    'settings (environment variables, or a .env file in the working directory):',
    '',
    ...settings,
  ].join('\n')
}
