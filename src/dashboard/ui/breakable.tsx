// Text that may break where it means something, and only then wherever it must.
import { Fragment } from 'react'

interface BreakableProps {
  text: string
  /** Matches the places, and no letters. */
  at: RegExp
}

export function Breakable({ text, at }: BreakableProps) {
  return text.split(at).map((part, nth) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have nothing else, and never move.
    <Fragment key={nth}>
      {nth > 0 && <wbr />}
      {part}
    </Fragment>
  ))
}
