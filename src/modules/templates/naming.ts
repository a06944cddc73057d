// Names of copies.

const mark = ' (Copy)'

/** `News` becomes `News (Copy)`; a name that is as long as may be gives way. */
export function copyName(name: string, longest: number): string {
  return `${name.slice(0, longest - mark.length).toWellFormed()}${mark}`
}
