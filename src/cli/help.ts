// The settings as text, made from the table of options.
import { options } from '../settings/options'

export function help(usage: string): string {
  const width = Math.max(...Object.keys(options).map(name => name.length))
  const settings = Object.values(options).map(({ name, meaning, defaultText }) => {
    return `  ${name.padEnd(width)}  ${meaning}${defaultText ? ` [${defaultText}]` : ''}`
  })
  return [
    usage,
    '',
    'settings (environment variables, or a .env file in the working directory):',
    '',
    ...settings,
  ].join('\n')
}
