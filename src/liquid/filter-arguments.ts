// How many arguments each filter takes. The library ignores those that are left over, and reads missing ones as nothing, so that
// `{{ price | times }}` would print NaN in every email.
import { type Template, toValueSync, type Value } from 'liquidjs'

/** Optional arguments in brackets, as Ruby's Liquid and liquidjs name them. */
const signatures: Readonly<Record<string, string>> = {
  ...all('', 'escape xml_escape escape_once newline_to_br strip_html abs ceil floor url_decode url_encode'),
  ...all('', 'cgi_escape uri_escape last first reverse size compact pop shift uniq date_to_xmlschema'),
  ...all('', 'date_to_rfc822 downcase upcase strip_newlines squish capitalize normalize_whitespace'),
  ...all('', 'base64_encode base64_decode sha256 raw to_integer'),
  ...all('number', 'at_least at_most minus plus modulo times'),
  ...all('text', 'append prepend remove remove_first remove_last'),
  ...all('[characters]', 'strip lstrip rstrip'),
  ...all('[property]', 'sort sort_natural sum'),
  ...all('property', 'map group_by'),
  ...all('property, [value]', 'where reject has find find_index'),
  ...all('name, expression', 'where_exp reject_exp group_by_exp has_exp find_exp find_index_exp'),
  ...all('item', 'push unshift'),
  ...all('[type], [style]', 'date_to_string date_to_long_string'),
  ...all('search, [replacement]', 'replace replace_first'),
  ...all('[space]', 'json jsonify inspect'),
  replace_last: 'search, replacement',
  divided_by: 'number, [integer]',
  round: '[digits]',
  slugify: '[mode], [cased]',
  join: '[separator]',
  concat: 'list',
  slice: 'start, [length]',
  sample: '[count]',
  date: '[format], [zone]',
  split: 'separator',
  truncate: '[length], [ending]',
  truncatewords: '[words], [ending]',
  number_of_words: '[mode]',
  array_to_sentence_string: '[connector]',
  hmac_sha256: 'key',
  default: '[value]',
}

/** The arguments that are written with their name. */
const named: Readonly<Record<string, readonly string[]>> = { default: ['allow_false'] }

function all(signature: string, names: string): Record<string, string> {
  return Object.fromEntries(names.split(' ').map(name => [name, signature]))
}

/** The first filter that is given too few, too many, or unknown arguments, with the offset of its output or tag. */
export function filterFault(templates: readonly Template[]): { reason: string; begin: number } | undefined {
  for (const template of templates) {
    for (const argument of template.arguments?.() ?? []) {
      // The library lists a parameter without a value, such as `reversed`, as undefined.
      const reason = argument && 'filters' in argument ? faultOf(argument.filters) : undefined
      if (reason !== undefined) return { reason, begin: template.token.begin }
    }
    const inside = template.children ? filterFault(toValueSync(template.children(false, true))) : undefined
    if (inside) return inside
  }
  return undefined
}

type Filters = Value['filters']

function faultOf(
  filters: Filters | ReadonlyArray<Pick<Filters[number], 'name' | 'args'>>,
): string | undefined {
  for (const { name, args } of filters) {
    const reason = whyNot(name, args)
    if (reason !== undefined) return reason
  }
  return undefined
}

function whyNot(filter: string, args: Filters[number]['args']): string | undefined {
  const signature = signatures[filter]
  if (signature === undefined) return undefined
  const unknown = args.find(arg => Array.isArray(arg) && !named[filter]?.includes(arg[0] ?? ''))
  const usage = signature === '' ? 'it takes no arguments' : `write ${filter}: ${signature}`
  if (Array.isArray(unknown)) return `filter "${filter}" has no argument "${unknown[0]}": ${usage}`
  const parts = signature === '' ? [] : signature.split(', ')
  const least = parts.filter(part => !part.startsWith('[')).length
  const count = args.filter(arg => !Array.isArray(arg)).length
  if (count < least) return `filter "${filter}" needs ${numberOf(least)}: ${usage}`
  return count > parts.length
    ? `filter "${filter}" has ${numberOf(count)}, which is too many: ${usage}`
    : undefined
}

function numberOf(count: number): string {
  return count === 1 ? '1 argument' : `${count} arguments`
}
