// Names of copies.

const mark = ' (Copy)'
const longestName = 100

/** `News` becomes `News (Copy)`; a name that is as long as may be gives way. */
export function copyName(name: string): string {
  return `${name.slice(0, longestName - mark.length).toWellFormed()}${mark}`
}
