// Ranges of the template language, `(1..5)`: the library counts up by one until it reaches the end, which it never does beyond the
// integers that a double can tell apart.
import { type Context, Expression, Token, Tokenizer, TokenKind, TypeGuards, type ValueToken } from 'liquidjs'

/** Steps of one are exact up to here, with room for the length that a render may count anyway. */
const furthest = 2 ** 52

/** One end of a range, refused where it can't be counted to. */
class CountableEnd extends Expression {
  override *evaluate(context: Context, lenient?: boolean): Generator<unknown, unknown> {
    const value: unknown = yield super.evaluate(context, lenient ?? false)
    if (Math.abs(Number(value)) > furthest) throw new RangeError('a range goes too far to be counted')
    return value
  }
}

type RangeReader = (this: Tokenizer) => ValueToken | undefined

let isGuarded = false

/** After this call a range whose ends can't be counted to is an error of its render. */
export function guardRanges(): void {
  if (isGuarded) return
  isGuarded = true
  const prototype = Tokenizer.prototype as unknown as { readGroupOrRange: RangeReader }
  const readRange = prototype.readGroupOrRange
  if (typeof readRange !== 'function') throw new Error('liquidjs reads ranges elsewhere')
  prototype.readGroupOrRange = function () {
    const token = readRange.call(this)
    if (!TypeGuards.isRangeToken(token)) return token
    token.lhs = guarded(token.lhs)
    token.rhs = guarded(token.rhs)
    return token
  }
}

/**
 * Wraps the end in a value with an empty list of filters: the only kind of token that is evaluated by an object, which can be replaced.
 */
function guarded(end: ValueToken): ValueToken {
  const TokenOf = Token as unknown as new (
    kind: TokenKind,
    input: string,
    begin: number,
    end: number,
  ) => Token
  const token = new TokenOf(TokenKind.FilteredValue, end.input, end.begin, end.end)
  return Object.assign(token, {
    initial: new CountableEnd([end].values()),
    filters: [],
  }) as unknown as ValueToken
}
