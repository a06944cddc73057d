// The query of an address: plain texts, none of them empty, so that addresses can be read and typed.

export type Search = Record<string, string>

export function readSearch(text: string): Search {
  return Object.fromEntries(new URLSearchParams(text))
}

export function writeSearch(search: Record<string, unknown>): string {
  const kept = Object.entries(search).filter(([, value]) => value !== undefined && value !== '')
  const text = new URLSearchParams(kept.map(([name, value]) => [name, String(value)])).toString()
  return text && `?${text}`
}

/** For `validateSearch`: accepts the named members and nothing else. */
export function searchOf<Name extends string>(...names: Name[]) {
  return (search: Record<string, unknown>): Partial<Record<Name, string>> =>
    Object.fromEntries(
      names.filter(name => typeof search[name] === 'string').map(name => [name, search[name]]),
    ) as Partial<Record<Name, string>>
}
