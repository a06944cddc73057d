// Values that are made when somebody first asks for them. A form of numbers or dates takes the browser milliseconds to make, and the first
// page shows few of them.

export function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
