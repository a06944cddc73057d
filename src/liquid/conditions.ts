// What is left over in a condition. The library ignores words that no operator is, and what follows them, so that `plan is "pro"` would be
// true for everybody.
import { Tokenizer, TypeGuards } from 'liquidjs'
import { decodeEntities, type Segment } from './scan'

type Operators = ConstructorParameters<typeof Tokenizer>[1]

const usable = '==, !=, >, <, >=, <=, contains, and, or'

/** The first fault in the conditions of a template that can be parsed, with the offset of its tag. */
export function conditionFault(
  source: string,
  segments: readonly Segment[],
  operators: Operators,
): { reason: string; offset: number } | undefined {
  let isComment = false
  for (const { kind, start, end } of segments) {
    if (kind !== 'tag') continue
    for (const { name, rest } of statementsOf(decodeEntities(source.slice(start + 2, end - 2)))) {
      if (name === 'comment' || name === 'endcomment') isComment = name === 'comment'
      if (isComment) continue
      const reason = reasonFor(name, new Tokenizer(rest, operators))
      if (reason !== undefined) return { reason, offset: start }
    }
  }
  return undefined
}

interface Statement {
  name: string
  rest: string
}

/** One for a tag, and one for each line of `{% liquid %}`. */
function statementsOf(inside: string): Statement[] {
  const statement = statementOf(inside.replace(/^-/, '').replace(/-$/, ''))
  return statement.name === 'liquid' ? statement.rest.split('\n').map(statementOf) : [statement]
}

function statementOf(text: string): Statement {
  const trimmed = text.trim()
  const name = /^\w*/.exec(trimmed)![0]
  return { name, rest: trimmed.slice(name.length) }
}

function reasonFor(name: string, tokens: Tokenizer): string | undefined {
  if (['if', 'unless', 'elsif', 'case'].includes(name)) return expressionFault(tokens)
  if (name === 'when') return valuesFault(tokens)
  return name === 'else' ? leftOver(tokens) : undefined
}

/** Values and operators take turns, and `not` stands before a value. */
function expressionFault(tokens: Tokenizer): string | undefined {
  let before = ''
  let wantsValue = true
  for (const token of tokens.readExpressionTokens()) {
    const isOperator = TypeGuards.isOperatorToken(token)
    const text = token.getText()
    const isNot = isOperator && text === 'not'
    if (isOperator && !isNot && wantsValue) return `a value is missing before "${text}"`
    if ((!isOperator || isNot) && !wantsValue) return notAnOperator(text)
    wantsValue = isOperator
    before = text
  }
  if (wantsValue) return `a value is missing after "${before}"`
  tokens.readFilters()
  return leftOver(tokens)
}

/** Values with a comma or `or` between them. */
function valuesFault(tokens: Tokenizer): string | undefined {
  while (true) {
    if (!tokens.readValue()) return 'a value is missing after "when"'
    tokens.skipBlank()
    if (tokens.end()) return undefined
    const separator = /^(?:,|or\b)/.exec(tokens.remaining())?.[0]
    if (separator === undefined) return leftOver(tokens)
    tokens.advance(separator.length)
  }
}

function leftOver(tokens: Tokenizer): string | undefined {
  tokens.skipBlank()
  return tokens.end() ? undefined : `"${tokens.remaining().slice(0, 40)}" can't be read here`
}

function notAnOperator(word: string): string {
  return `"${word.slice(0, 40)}" is not an operator: use ${usable}`
}
