// What is wrong with the values and operators of a tag. The library ignores words that no operator is, and what follows them, so that
// `plan is "pro"` would be true for everybody.
import { type Tokenizer, TypeGuards } from 'liquidjs'

const usable = '==, !=, >, <, >=, <=, contains, and, or'

/** Of values and operators, which take turns, with `not` before a value, and filters behind them. */
export function expressionFault(tokens: Tokenizer): string | undefined {
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
  if (wantsValue) return before === '' ? 'a value is missing' : `a value is missing after "${before}"`
  tokens.readFilters()
  return leftOver(tokens)
}

/** Of values with a comma or `or` between them. */
export function valuesFault(tokens: Tokenizer): string | undefined {
  while (true) {
    if (!tokens.readValue()) return 'a value is missing after "when"'
    tokens.skipBlank()
    if (tokens.end()) return undefined
    const separator = /^(?:,|or\b)/.exec(tokens.remaining())?.[0]
    if (separator === undefined) return leftOver(tokens)
    tokens.advance(separator.length)
  }
}

/** Of a place where nothing more is read. */
export function leftOver(tokens: Tokenizer): string | undefined {
  tokens.skipBlank()
  return tokens.end() ? undefined : `"${tokens.remaining().slice(0, 40)}" can't be read here`
}

function notAnOperator(word: string): string {
  return `"${word.slice(0, 40)}" is not an operator: use ${usable}`
}
