// What is left of a sample mail. Pure.

/** Those of `leftovers` that the mail still holds as a text of its own, in their order. */
export function leftoversIn(subject: string, html: string, leftovers: readonly string[]): string[] {
  const texts = textsOf(html)
  return leftovers.filter(each => each === subject.trim() || texts.has(each))
}

/** What stands between two tags: a sample sentence within a longer one was written by somebody. */
function textsOf(html: string): Set<string> {
  const texts = html.replaceAll(/<[^<>]*>/g, '\n').split('\n')
  return new Set(texts.map(text => text.trim()))
}
