// Placeholders of listmonk, which are Go's templates, as Liquid. Only what means exactly the same is translated; everything else is a fault
// with its line, since a message that says something different is worse than one that has to be rewritten. Pure.

export interface GoContext {
  /** A layout surrounds the content; a subject is not HTML. */
  kind: 'layout' | 'body' | 'subject'
  /** It is sent by the API, with data of its own. */
  isTx?: boolean
  /** The source is plain text, and becomes HTML. */
  isPlain?: boolean
  /** What `.Campaign` stands for, where there is one. */
  campaign?: { name: string; subject: string }
  /** The words of `L.T`. */
  words: Readonly<Record<string, string>>
}

export interface Translated {
  text: string
  faults: string[]
}

export function translateGo(source: string, context: GoContext): Translated {
  const faults: string[] = []
  let text = ''
  // The HTML as it is before a place, with a letter for what is filled in.
  let before = ''
  let at = 0
  for (const { start, end, inner } of actionsOf(source)) {
    const literal = source.slice(at, start)
    text += asHtml(literalText(literal), context)
    before += literal
    const { trimBefore, expression, trimAfter } = trimmed(inner)
    const output = translateAction(expression, { ...context, before, trimBefore, trimAfter })
    if (output === undefined) faults.push(`line ${lineOf(source, start)}: ${shown(source.slice(start, end))}`)
    text += output ?? ''
    before += output?.startsWith('{{') ? 'x' : (output ?? '')
    at = end
  }
  return { text: text + asHtml(literalText(source.slice(at)), context), faults }
}

/** Liquid's tags mean nothing to Go. */
function literalText(text: string): string {
  return withoutMarks(text).replaceAll('{%', '{{ "{%" }}')
}

const linkMark = '@TrackLink'

/** `https://…@TrackLink` is short for a tracked link; here every link is tracked, or none. */
function withoutMarks(text: string): string {
  const parts = text.split(linkMark)
  return parts
    .map((part, index) => {
      const tail = part
        .slice(-2_000)
        .split(/[\s"'<>]/)
        .at(-1)!
      return index === parts.length - 1 || /https?:\/\//.test(tail) ? part : `${part}${linkMark}`
    })
    .join('')
}

function asHtml(text: string, { isPlain }: GoContext): string {
  return isPlain ? Bun.escapeHTML(text) : text
}

interface Action {
  start: number
  end: number
  inner: string
}

/** Text in quotes may hold braces. What is not closed stays text. */
function* actionsOf(source: string): Generator<Action> {
  for (let start = source.indexOf('{{'); start !== -1; ) {
    const end = endOf(source, start + 2)
    if (end === -1) return
    yield { start, end, inner: source.slice(start + 2, end - 2) }
    start = source.indexOf('{{', end)
  }
}

function endOf(source: string, from: number): number {
  const comment = /^(?:-\s)?\s*\/\*/.test(source.slice(from, from + 10))
  if (comment) {
    const end = source.indexOf('*/', from)
    const close = end === -1 ? -1 : source.indexOf('}}', end)
    return close === -1 ? -1 : close + 2
  }
  for (let at = from; at < source.length; at++) {
    const letter = source[at]!
    if (letter === '}' && source[at + 1] === '}') return at + 2
    if (letter === '"' || letter === '`') {
      at = closing(source, at)
      if (at === -1) return -1
    }
  }
  return -1
}

function closing(source: string, open: number): number {
  const quote = source[open]!
  for (let at = open + 1; at < source.length; at++) {
    if (quote === '"' && source[at] === '\\') at++
    else if (source[at] === quote) return at
  }
  return -1
}

function trimmed(inner: string): { trimBefore: boolean; expression: string; trimAfter: boolean } {
  const trimBefore = /^-\s/.test(inner)
  const trimAfter = /\s-$/.test(inner.slice(-2))
  return {
    trimBefore,
    expression: inner.slice(trimBefore ? 1 : 0, trimAfter ? -1 : undefined).trim(),
    trimAfter,
  }
}

interface Place extends GoContext {
  /** All that stands before it. */
  before: string
  trimBefore: boolean
  trimAfter: boolean
}

/** Undefined for what has no equivalent. */
function translateAction(expression: string, place: Place): string | undefined {
  if (expression.startsWith('/*') && expression.endsWith('*/')) return spaced(place, '')
  const words = wordsOf(expression)
  if (!words) return undefined
  // The message itself, which listmonk adds where it is left out.
  if (words.length > 1 && words.at(-1) === '.') words.pop()
  const [first = '', second, ...more] = words
  const constant = constantOf(first, second, more, place)
  // A brace could join with what follows.
  if (constant?.includes('{')) return undefined
  if (constant !== undefined) return spaced(place, asHtml(constant, place))
  const link = more.length === 0 && second === undefined ? links[first] : undefined
  if (link !== undefined) return spaced(place, link === '' ? '' : output(place, link))
  if (first === 'template' && second === '"content"' && more.length === 0)
    return place.kind === 'layout' ? output(place, 'content') : undefined
  const field = fieldOf(words, place.isTx === true)
  return field === undefined ? undefined : escaped(place, field)
}

/** Every link is tracked here, or none, and the picture is put in when a mail is sent. */
const links: Readonly<Record<string, string>> = {
  UnsubscribeURL: 'unsubscribeUrl',
  ManageURL: 'manageUrl',
  MessageURL: 'browserUrl',
  TrackView: '',
}

function constantOf(
  first: string,
  second: string | undefined,
  more: string[],
  place: Place,
): string | undefined {
  const text = second === undefined ? undefined : unquoted(second)
  if (more.length > 0) return undefined
  if (first === 'TrackLink') return text
  if (first === 'Safe') return text
  if (first === 'L.T')
    return text !== undefined && Object.hasOwn(place.words, text) ? place.words[text] : undefined
  if (second !== undefined) return undefined
  const own = unquoted(first)
  if (own !== undefined) return isText(place) ? own : Bun.escapeHTML(own)
  return campaignConstant(first, place)
}

function campaignConstant(word: string, place: Place): string | undefined {
  const { campaign, before } = place
  if (word !== '.Campaign.Subject' && word !== '.Campaign.Name') return undefined
  // Nobody sees the title of a mail.
  if (/<title>\s{0,20}$/i.test(before.slice(-30))) return ''
  // A subject with placeholders is shown as listmonk stores it, which is not what is meant.
  const value = word === '.Campaign.Name' ? campaign?.name : campaign?.subject
  if (value === undefined || value.includes('{{')) return undefined
  if (isText(place)) return value
  return inContent(before) ? Bun.escapeHTML(value) : undefined
}

/** Names that mean something else here, or that fields cannot have. */
export const taken =
  /^(id|svc_id|svc_email|email|subscribed|unsubscribeUrl|subscribeUrl|manageUrl|browserUrl|name|firstName|lastName|signedUpAt|content|event|data|locale)$/

function fieldOf(words: readonly string[], isTx: boolean): string | undefined {
  if (words.length === 3 && words[0] === 'index' && words[1] === '.Subscriber.Attribs') {
    const name = unquoted(words[2]!)
    return name === undefined || taken.test(name) || /["\\\]]/.test(name) ? undefined : `data["${name}"]`
  }
  if (words.length !== 1) return undefined
  const [path] = words as [string]
  const own = ownFields[path]
  if (own !== undefined) return own
  const below = path.startsWith('.Subscriber.Attribs.')
    ? path.slice('.Subscriber.Attribs.'.length)
    : isTx && path.startsWith('.Tx.Data.')
      ? path.slice('.Tx.Data.'.length)
      : undefined
  if (below === undefined || !/^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*$/.test(below)) return undefined
  return taken.test(below.split('.')[0]!) ? undefined : below
}

const ownFields: Readonly<Record<string, string>> = {
  '.Subscriber.Email': 'email',
  '.Subscriber.Name': 'name',
  '.Subscriber.FirstName': 'firstName',
  '.Subscriber.LastName': 'lastName',
}

const isText = ({ kind, isPlain }: GoContext): boolean => kind === 'subject' || isPlain === true

/** Go escapes by the place where a value goes: between elements as Liquid does here. */
function escaped(place: Place, field: string): string | undefined {
  if (isText(place) || inContent(place.before)) return output(place, field)
  const inUrl = urlBefore(place.before)
  if (inUrl === undefined) return undefined
  return inUrl.includes('?') ? output(place, `${field} | url_encode`) : undefined
}

/** Between elements, and not in a style or script. */
function inContent(before: string): boolean {
  const open = before.lastIndexOf('<')
  if (open > before.lastIndexOf('>')) return false
  const low = before.toLowerCase()
  return ['style', 'script', 'title'].every(
    name => low.lastIndexOf(`<${name}`) <= low.lastIndexOf(`</${name}`),
  )
}

/** What a link says so far, if its quotes are still open. */
function urlBefore(before: string): string | undefined {
  const tag = before.slice(before.lastIndexOf('<'))
  const quote = tag.lastIndexOf('="') > tag.lastIndexOf("='") ? '"' : "'"
  const at = tag.lastIndexOf(`=${quote}`)
  if (at === -1 || !/\s(href|src)$/i.test(tag.slice(0, at).slice(-6))) return undefined
  const value = tag.slice(at + 2)
  return value.includes(quote) ? undefined : value
}

function output(place: Place, inner: string): string {
  return `{{${place.trimBefore ? '-' : ''} ${inner} ${place.trimAfter ? '-' : ''}}}`
}

/** A placeholder that leaves nothing behind still trims white space. */
function spaced(place: Place, text: string): string {
  if (!place.trimBefore && !place.trimAfter) return text
  const blank = output(place, '""')
  if (text === '') return blank
  return text.startsWith('{{')
    ? text
    : `${place.trimBefore ? '{{- "" }}' : ''}${text}${place.trimAfter ? '{{ "" -}}' : ''}`
}

/** Words and texts in quotes; undefined for pipelines and anything in brackets. */
function wordsOf(expression: string): string[] | undefined {
  const words: string[] = []
  for (let at = 0; at < expression.length; ) {
    const letter = expression[at]!
    if (/\s/.test(letter)) at++
    else if (letter === '"' || letter === '`') {
      const end = closing(expression, at)
      if (end === -1) return undefined
      words.push(expression.slice(at, end + 1))
      at = end + 1
    } else {
      const start = at
      while (at < expression.length && /[\p{L}\p{N}_.]/u.test(expression[at]!)) at++
      if (at === start) return undefined
      words.push(expression.slice(start, at))
    }
  }
  return words
}

function unquoted(word: string): string | undefined {
  if (word.startsWith('`')) return word.slice(1, -1)
  if (!word.startsWith('"')) return undefined
  try {
    // What Go's texts have besides JSON's are escapes that nobody writes in a mail.
    return JSON.parse(word) as string
  } catch {
    return undefined
  }
}

function lineOf(source: string, at: number): number {
  return source.slice(0, at).split('\n').length
}

function shown(text: string): string {
  return text.length > 80 ? `${text.slice(0, 77)}…` : text
}
