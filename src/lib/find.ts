// Searching a long text forward, many times, without ever reading a stretch twice.

/**
 * indexOf for calls with a `from` that never decreases: it remembers the last match, and that there are no more. Scanners of
 * foreign input stay linear with it, even if no opening delimiter has a closing one.
 */
export function forwardFinder(source: string, wanted: string): (from: number) => number {
  let found = -2
  return from => {
    if (found !== -1 && found < from) found = source.indexOf(wanted, from)
    return found
  }
}
