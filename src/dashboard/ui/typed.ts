// What somebody types into a field for a date, a time or a number. The browser says that it is empty while it is not complete; that is not the
// same as nothing.

/** Stands for what is not complete yet. */
export const unfinished = 'unfinished'

/** For such a field. Where the value stays empty, browsers say nothing before the field is left. */
export function typed(value: string, onChange: (value: string) => void) {
  const read = ({ target }: { target: HTMLInputElement }): void => {
    const next = target.validity.badInput ? unfinished : target.value
    if (next !== value) onChange(next)
  }
  return { value: value === unfinished ? '' : value, onChange: read, onBlur: read }
}
