// Choosing the language of the dashboard. What has been typed stays.
import type { ComponentProps } from 'react'
import { chooseLanguage, language, t } from '../texts'
import { isSpoken, languages } from '../texts/language'
import { toast } from '../ui/toast'

export function LanguageSelect(props: ComponentProps<'select'>) {
  return (
    <select {...props} value={language()} onChange={({ target }) => void switchLanguage(target.value)}>
      {Object.entries(languages).map(([code, name]) => (
        <option key={code} value={code} lang={code}>
          {name}
        </option>
      ))}
    </select>
  )
}

/** Texts come from the server; if it can't be reached, they stay as they are. */
export async function switchLanguage(code: string): Promise<void> {
  if (!isSpoken(code)) return
  await chooseLanguage(code).catch(() => toast(t.errors.network))
}
