// Numbers inside German sentences.
import { localeOf } from '../language'
import { once } from '../once'
import { plural } from '../plural'

export const count = plural('de')

const numbers = once(() => new Intl.NumberFormat(localeOf('de')))
export const formed = (value: number): string => numbers().format(value)

export const contactsOf = (number: number): string => count(number, { one: '# Kontakt', other: '# Kontakte' })
/** After prepositions such as „mit“ and „von“. */
export const contactsDative = (number: number): string =>
  count(number, { one: '# Kontakt', other: '# Kontakten' })
export const addressesOf = (number: number): string =>
  count(number, { one: '# Adresse', other: '# Adressen' })
