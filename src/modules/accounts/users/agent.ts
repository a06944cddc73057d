// What is shown of a User-Agent header to the owner of the session: browser and system, such as "Firefox, Linux". Pure.

/** The first match counts: most browsers name others too. */
const browsers: readonly (readonly [sign: string, name: string])[] = [
  ['Edg', 'Edge'],
  ['OPR/', 'Opera'],
  ['Vivaldi/', 'Vivaldi'],
  ['SamsungBrowser/', 'Samsung Internet'],
  ['Firefox/', 'Firefox'],
  ['FxiOS/', 'Firefox'],
  ['Chrome/', 'Chrome'],
  ['CriOS/', 'Chrome'],
  ['Safari/', 'Safari'],
]

const systems: readonly (readonly [sign: string, name: string])[] = [
  ['Windows', 'Windows'],
  ['Android', 'Android'],
  ['iPhone', 'iOS'],
  ['iPad', 'iPadOS'],
  ['Mac OS X', 'macOS'],
  ['CrOS', 'ChromeOS'],
  ['Linux', 'Linux'],
]

const longest = 60

/** Null for a header that is missing or holds nothing that can be shown. */
export function shortAgent(header: string | null | undefined): string | null {
  const text = (header ?? '').slice(0, 1_000)
  const known = [nameIn(browsers, text), nameIn(systems, text)].filter(name => name !== undefined)
  if (known.length > 0) return known.join(', ')
  const first = text
    .replaceAll(/[^\x20-\x7e]/g, '')
    .trim()
    .split(' ')[0]!
    .slice(0, longest)
  return first === '' ? null : first
}

function nameIn(names: typeof browsers, text: string): string | undefined {
  return names.find(([sign]) => text.includes(sign))?.[1]
}
