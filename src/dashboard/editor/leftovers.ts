// What is left of a sample mail. Pure.

/** Those of `leftovers` that the mail still holds as a text of its own, in their order. Layout and links are HTML around them. */
export function leftoversIn(subject: string, html: string, leftovers: readonly string[]): string[] {
  const texts = new Set(
    html
      .replaceAll(/<[^<>]*>/g, '\n')
      .split('\n')
      .map(text => text.trim()),
  )
  return leftovers.filter(each => each === subject.trim() || texts.has(each))
}
