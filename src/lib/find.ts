// Searching a long text forward, many times, without ever reading a stretch twice.

/**
 * indexOf for questions whose `from` never falls: the last find is remembered, and so is that there is nothing left. Scanners of
 * foreign input stay linear with it, even where every opening delimiter lacks its closing one.
 */
export function forwardFinder(source: string, wanted: string): (from: number) => number {
  let found = -2
  return from => {
    if (found !== -1 && found < from) found = source.indexOf(wanted, from)
    return found
  }
}
