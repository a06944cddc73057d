// What a tag says that is not read: words that are left over, parameters that it doesn't have, and names that belong to Waxwing. The
// library ignores these, and the email would say something else than its author meant.
import { Tokenizer } from 'liquidjs'
import { expressionFault, leftOver, valuesFault } from './conditions'
import { decodeEntities, type Segment } from './scan'

type Operators = ConstructorParameters<typeof Tokenizer>[1]

/** The first fault in the tags of a template that can be parsed, with the offset of its tag. */
export function tagFault(
  source: string,
  segments: readonly Segment[],
  operators: Operators,
): { reason: string; offset: number } | undefined {
  let isComment = false
  for (const { kind, start, end } of segments) {
    if (kind !== 'tag') continue
    for (const { name, remaining } of statementsOf(decodeEntities(source.slice(start + 2, end - 2)))) {
      if (name === 'comment' || name === 'endcomment') isComment = name === 'comment'
      const find = isComment ? undefined : faults[name]
      const reason = find && (quoteFault(remaining) ?? find(new Tokenizer(remaining, operators), name))
      if (reason !== undefined) return { reason, offset: start }
    }
  }
  return undefined
}

interface Statement {
  name: string
  remaining: string
}

/** One for a tag, and one for each line of `{% liquid %}`. */
function statementsOf(inside: string): Statement[] {
  const statement = statementOf(inside.replace(/^-/, '').replace(/-$/, ''))
  return statement.name === 'liquid' ? statement.remaining.split('\n').map(statementOf) : [statement]
}

function statementOf(text: string): Statement {
  const trimmed = text.trim()
  const name = /^\w*/.exec(trimmed)![0]
  return { name, remaining: trimmed.slice(name.length) }
}

/** The library takes the last character of an open text for its quote. */
function quoteFault(text: string): string | undefined {
  for (let at = 0; at < text.length; at++) {
    const quote = text[at]
    if (quote !== '"' && quote !== "'") continue
    const open = at++
    while (at < text.length && text[at] !== quote) at += text[at] === '\\' ? 2 : 1
    if (at >= text.length) return `the quote of ${text.slice(open, open + 40)} is not closed`
  }
  return undefined
}

type Fault = (tokens: Tokenizer, tag: string) => string | undefined

const faults: Readonly<Record<string, Fault | undefined>> = {
  __proto__: null as never,
  if: expressionFault,
  unless: expressionFault,
  elsif: expressionFault,
  case: expressionFault,
  when: valuesFault,
  else: leftOver,
  break: leftOver,
  continue: leftOver,
  assign: tokens => nameFault(tokens) ?? assignedFault(tokens),
  echo: tokens => leftOver(tokens) && expressionFault(tokens),
  capture: tokens => nameFault(tokens) ?? leftOver(tokens),
  increment: tokens => nameFault(tokens) ?? leftOver(tokens),
  decrement: tokens => nameFault(tokens) ?? leftOver(tokens),
  cycle: cycleFault,
  for: loopFault(['limit', 'offset', 'reversed']),
  tablerow: loopFault(['cols', 'limit', 'offset']),
}

/** Links and values that Waxwing puts into emails: under another value, an email could lose its unsubscribe link. */
const ownNames = /^(?:unsubscribeUrl|subscribeUrl|manageUrl|browserUrl|forloop|tablerowloop|svc_\w*)$/

function nameFault(tokens: Tokenizer): string | undefined {
  const name = tokens.readIdentifier().content || (tokens.readQuoted()?.content ?? '')
  if (name === '') return 'a name is missing'
  return ownNames.test(name) ? `"${name}" is set by Waxwing: choose another name` : undefined
}

function assignedFault(tokens: Tokenizer): string | undefined {
  tokens.readTo('=')
  return expressionFault(tokens)
}

/** An optional group with a colon, then values with commas between them. */
function cycleFault(tokens: Tokenizer): string | undefined {
  while (true) {
    tokens.readValue()
    tokens.skipBlank()
    if (tokens.peek() === '|') tokens.readFilters()
    tokens.skipBlank()
    const separator = tokens.peek()
    if (separator !== ',' && separator !== ':') return leftOver(tokens)
    tokens.advance()
  }
}

function loopFault(known: readonly string[]): Fault {
  return (tokens, tag) => {
    const reason = nameFault(tokens)
    if (reason !== undefined) return reason
    tokens.readIdentifier()
    tokens.readValue()
    for (const { name, value } of tokens.readHashes()) {
      if (!known.includes(name.content))
        return `"${tag}" has no parameter "${name.content}": use ${known.join(', ')}`
      if (!value && name.content !== 'reversed') return `"${name.content}" needs a value: ${name.content}: 3`
    }
    return leftOver(tokens)
  }
}
