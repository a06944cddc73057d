// Phrases as data: `user … does not exist` stands for both pieces in this order, near each other. Every piece begins at a word (where the
// script has words), and may end inside of one: `relay` is found in "relaying". The text is one of `comparable`.

const maxGap = 80

/** Phrases with ` | ` between them. */
export function phrasesOf(text: string): string[] {
  return text.split('|').map(phrase => phrase.trim())
}

/** Whether one of the phrases stands in the text; which one. */
export function findPhrase(text: string, phrases: readonly string[]): string | undefined {
  return phrases.find(phrase => isIn(text, phrase))
}

function isIn(text: string, phrase: string): boolean {
  const [first, ...others] = phrase.split('…').map(piece => atWord(piece.trim()))
  for (let at = text.indexOf(first!); at !== -1; at = text.indexOf(first!, at + 1)) {
    let end = at + first!.length
    const isWhole = others.every(piece => {
      const found = text.slice(end, end + maxGap + piece.length).indexOf(piece)
      end += found + piece.length
      return found !== -1
    })
    if (isWhole) return true
    if (others.length === 0) return true
  }
  return false
}

/** Chinese, Japanese and Thai set no blanks between words. */
function atWord(piece: string): string {
  return piece.codePointAt(0)! >= 0x0e00 ? piece : ` ${piece}`
}
