// Cuts the text of a migration into its statements, which are run, timed and reported one by one. It knows what may hide a semicolon:
// quotes, dollar quotes and comments. By hand and not by expressions, so that the length of a file is all that counts.

/** The statements of `text` without their semicolons, each with the comments right before it. */
export function statementsOf(text: string): string[] {
  const found: string[] = []
  let start = 0
  for (let at = 0; at < text.length; ) {
    if (text[at] === ';') {
      found.push(text.slice(start, at))
      start = ++at
    } else at = endOfPart(text, at)
  }
  found.push(text.slice(start))
  return found.map(piece => piece.trim()).filter(piece => wordsOf(piece) !== '')
}

/** A statement on one line: without comments, white space as single spaces. */
export function wordsOf(statement: string): string {
  let words = ''
  for (let at = 0; at < statement.length; ) {
    const end = endOfPart(statement, at)
    words += isComment(statement, at) ? ' ' : statement.slice(at, end)
    at = end
  }
  return words.split(/\s/).filter(Boolean).join(' ')
}

/** The comments before a statement, without their marks. */
export function commentsBefore(text: string): string[] {
  const lines: string[] = []
  for (const line of text.split('\n').map(line => line.trim())) {
    if (line === '' || line.startsWith('-->')) continue
    if (!line.startsWith('--')) break
    lines.push(line.slice(2).trim())
  }
  return lines
}

const isComment = (text: string, at: number): boolean =>
  text.startsWith('--', at) || text.startsWith('/*', at)

/** Where what begins at `at` ends: a comment, a quoted text, or one character. What is never closed ends with the text. */
function endOfPart(text: string, at: number): number {
  const remaining = text[at]
  if (text.startsWith('--', at)) return behind(text, '\n', at + 2)
  if (text.startsWith('/*', at)) return behind(text, '*/', at + 2)
  // A doubled quote closes one text and opens the next, which amounts to the same.
  if (remaining === "'" || remaining === '"') return behind(text, remaining, at + 1)
  if (remaining !== '$') return at + 1
  const mark = /^\$(?:[a-z_][a-z_0-9]*)?\$/i.exec(text.slice(at, at + 66))?.[0]
  return mark ? behind(text, mark, at + mark.length) : at + 1
}

function behind(text: string, mark: string, from: number): number {
  const found = text.indexOf(mark, from)
  return found === -1 ? text.length : found + mark.length
}
