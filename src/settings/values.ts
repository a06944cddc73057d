// How the values of settings are spelt: one small parser a form, which answers the value or says in words what is wrong. Pure.
import { isIP } from 'node:net'
import { isEmail, normaliseEmail } from '../lib/address'
import { hour, parseDuration } from '../lib/time'
import { parseServer } from '../platform/dns/servers'
import { parseSmtpUrl } from '../platform/mail/smtp-options'

export type Parsed<T> = { value: T } | { fault: string }

export const ok = <T>(value: T): Parsed<T> => ({ value })
export const wrong = (fault = ''): Parsed<never> => ({ fault })

export const text = (text: string): Parsed<string> => ok(text)
export const path = (text: string): Parsed<string> =>
  text.startsWith('/') && !text.includes('\0') ? ok(text) : wrong('it must begin with /')
export const hostName = (text: string): Parsed<string> => {
  const host = text.replace(/^\[(.*)\]$/, '$1')
  return isIP(host) > 0 || /^[\w-]+(\.[\w-]+)*$/.test(host) ? ok(host) : wrong()
}
export const boolean = (text: string): Parsed<boolean> =>
  text === 'true' || text === '1' ? ok(true) : text === 'false' || text === '0' ? ok(false) : wrong()
export const integer =
  (min: number, max: number) =>
  (text: string): Parsed<number> => {
    const value = Number(text)
    return /^\d+$/.test(text) && value >= min && value <= max ? ok(value) : wrong()
  }
export const oneOf =
  <T extends string>(...values: T[]) =>
  (text: string): Parsed<T> =>
    values.includes(text as T) ? ok(text as T) : wrong()
export const duration =
  (min: number, max: number) =>
  (text: string): Parsed<number> => {
    const ms = parseDuration(text)
    return ms === undefined || ms < min || ms > max ? wrong() : ok(ms)
  }
const sizeBetween =
  (least: number, most: number) =>
  (text: string): Parsed<number> => {
    const match = /^(\d+(?:\.\d+)?)\s*(B|KB|MB|GB)?$/i.exec(text)
    if (!match) return wrong()
    const factor = { B: 1, KB: 1024, MB: 1024 ** 2, GB: 1024 ** 3 }[(match[2] ?? 'B').toUpperCase()]!
    const bytes = Math.floor(Number(match[1]) * factor)
    return bytes >= least && bytes <= most ? ok(bytes) : wrong()
  }
export const size = sizeBetween(1, 1024 ** 3)
/** Of what is stored; 0 stands for no limit. */
export const room = sizeBetween(0, 1024 ** 5)
export const hours = (text: string): Parsed<number> => {
  const value = Number(text)
  return /^\d+(\.\d+)?$/.test(text) && value > 0 && value <= 8760 ? ok(Math.ceil(value * hour)) : wrong()
}
export const secretText = (text: string): Parsed<string> => {
  if (text.length < 16) return wrong('it is too short')
  return text.length > 1_000 ? wrong('it is too long') : ok(text)
}
/** Sent in a header, where neither blanks nor letters beyond ASCII survive. */
export const tokenText = (text: string): Parsed<string> =>
  /^[\x21-\x7e]*$/.test(text)
    ? secretText(text)
    : wrong('it holds blanks or letters that a header cannot carry')
export const servers = (text: string): Parsed<string[]> => {
  const list = text.split(',').map(part => part.trim())
  return list.every(server => parseServer(server)) ? ok(list) : wrong()
}

export const systemSender = (text: string): Parsed<string> =>
  isEmail(text) || /^[\w.+-]{1,64}@localhost$/.test(text) ? ok(normaliseEmail(text)) : wrong()

/** Links are made by adding a path, so the address must end where the path begins. */
export function baseUrl(text: string): Parsed<string> {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return wrong()
  const url = new URL(text)
  if (url.search || url.hash || url.username || url.password)
    return wrong('without user, ?query and #fragment, because paths are added to it')
  return ok(withoutEndSlashes(text))
}

export function withoutEndSlashes(text: string): string {
  let end = text.length
  while (text[end - 1] === '/') end--
  return text.slice(0, end)
}

export function databaseUrl(text: string): Parsed<string> {
  if (!/^postgres(ql)?:\/\//.test(text) || !URL.canParse(text)) return wrong()
  const url = new URL(text)
  const socket = url.searchParams.get('host')
  if (url.hostname === '' && !socket) return wrong('the host is missing')
  if (socket !== null && !socket.startsWith('/')) return wrong('?host= takes the folder of a unix socket')
  return ok(text)
}

export function smtpUrl(text: string): Parsed<string> {
  if (!/^smtps?:\/\//i.test(text)) return wrong()
  try {
    parseSmtpUrl(text)
    return ok(text)
  } catch (error) {
    // The message names the faulty part and never shows the address, which holds a password.
    return wrong((error as Error).message.replace(/^SMTP_URL: /, ''))
  }
}

/** Where a server is found; without user and password, which belong into settings of their own. */
export function httpAddress(text: string): Parsed<string> {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return wrong()
  const { username, password } = new URL(text)
  return username || password ? wrong('without user and password') : ok(text)
}
