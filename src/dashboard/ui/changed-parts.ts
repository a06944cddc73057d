// What of a form is sent when it is saved.

/** Only what was changed, so that a colleague's change of anything else stays. */
export function changedParts<T extends object>(after: T, before: Partial<T>): Partial<T> {
  const parts = Object.entries(after).filter(
    ([name, part]) => JSON.stringify(part) !== JSON.stringify(before[name as keyof T]),
  )
  return Object.fromEntries(parts) as Partial<T>
}
