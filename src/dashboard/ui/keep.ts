// What this browser keeps of what is typed. A full browser keeps nothing more, and that must not end the typing nor the saving.

/** False if there is no room for it. */
export function keepHere(name: string, text: string): boolean {
  try {
    localStorage.setItem(name, text)
    return true
  } catch {
    return false
  }
}
