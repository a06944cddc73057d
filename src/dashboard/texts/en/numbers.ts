// Numbers inside of English sentences.
import { localeOf } from '../language'
import { once } from '../once'
import { plural } from '../plural'

export const count = plural('en')

const numbers = once(() => new Intl.NumberFormat(localeOf('en')))
export const formed = (value: number): string => numbers().format(value)

export const contactsOf = (number: number): string => count(number, { one: '# contact', other: '# contacts' })
