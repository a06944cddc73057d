// Numbers in sentences, by the plural rules of a language and in the format of the reader's region.
import { localeOf } from './language'
import { once } from './once'

type Forms = { one: string; other: string } & Partial<Record<Intl.LDMLPluralRule, string>>

/**
 * `plural('en')(3, { one: '# contact', other: '# contacts' })` is "3 contacts"; # is replaced by the number, formatted for the language.
 */
export function plural(language: string): (count: number, forms: Forms) => string {
  const rules = once(() => new Intl.PluralRules(language))
  const numbers = once(() => new Intl.NumberFormat(localeOf(language)))
  return (count, forms) => (forms[rules().select(count)] ?? forms.other).replace('#', numbers().format(count))
}
