// Groups of `Name: value` lines, as reports and headers have them.

export type Fields = ReadonlyMap<string, string>

const maxFields = 2_000
const maxGroups = 100

/** Groups of fields with blank lines between; the first value of a name counts, folded lines are joined. */
export function readFieldGroups(text: string): Fields[] {
  const groups: Array<Map<string, string>> = [new Map()]
  let name = ''
  for (const line of text.split(/\r\n|\r|\n/, maxFields)) {
    const group = groups.at(-1)!
    if (line.trim() === '') {
      if (group.size > 0) groups.push(new Map())
      name = ''
    } else if (/^[ \t]/.test(line)) {
      if (name) group.set(name, `${group.get(name)} ${line.trim()}`)
    } else {
      const colon = line.indexOf(':')
      name = colon > 0 ? line.slice(0, colon).trim().toLowerCase() : ''
      if (name && !group.has(name)) group.set(name, line.slice(colon + 1).trim())
      else name = ''
    }
    if (groups.length > maxGroups) break
  }
  return groups.filter(group => group.size > 0)
}
