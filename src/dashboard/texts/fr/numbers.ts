// Numbers inside French sentences.
import { localeOf } from '../language'
import { once } from '../once'
import { plural } from '../plural'

export const count = plural('fr')

const numbers = once(() => new Intl.NumberFormat(localeOf('fr')))
export const formed = (value: number): string => numbers().format(value)

export const contactsOf = (number: number): string => count(number, { one: '# contact', other: '# contacts' })
export const addressesOf = (number: number): string =>
  count(number, { one: '# adresse', other: '# adresses' })
