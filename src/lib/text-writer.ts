// Collects words into lines: runs of blanks are one, breaks and tabs wait for the next word, so none is left at an end.

export interface TextWriter {
  write(text: string): void
  /** At least `count` line ends before the next word: 1 for a new line, 2 for an empty one between. */
  breakLine(count: 1 | 2): void
  /** One more line end, as `<br>` asks. */
  addLine(): void
  addTab(): void
  startItem(): void
  endItem(): void
  startLink(href: string): void
  endLink(): void
  /** Between these, blanks and line ends are content. */
  preserve(isPreserved: boolean): void
  end(): string
}

interface OpenLink {
  href: string
  /** How much had been written when it opened. */
  start: number
}

export function textWriter(): TextWriter {
  const parts: string[] = []
  let breaks = 0
  let tabs = 0
  let hasSpace = false
  let marker = ''
  let preserved = 0
  let link: OpenLink | undefined

  const push = (text: string): void => {
    const isStart = parts.length === 0
    if (!isStart && breaks > 0) parts.push('\n'.repeat(breaks))
    else if (!isStart && tabs > 0) parts.push('\t'.repeat(tabs))
    else if (!isStart && hasSpace) parts.push(' ')
    parts.push(marker + text)
    marker = ''
    breaks = tabs = 0
    hasSpace = false
  }

  const writeFlowing = (text: string): void => {
    const flat = text.replace(/[ \t\n\r\f]+/g, ' ')
    const words =
      flat.trim() === '' ? '' : flat.slice(flat[0] === ' ' ? 1 : 0, flat.endsWith(' ') ? -1 : undefined)
    if (flat[0] === ' ') hasSpace = true
    if (words === '') return
    push(words)
    hasSpace = flat.endsWith(' ')
  }

  const writePreserved = (text: string): void => {
    for (const [index, line] of text.split(/\r\n|\r|\n/).entries()) {
      if (index > 0) breaks = Math.min(breaks + 1, 2)
      // Outside of HTML a tab at the start of a line is an empty cell.
      if (line !== '') push(line.replace(/^\t+/, tabs => ' '.repeat(8 * tabs.length)))
    }
  }

  /** The mark of a signature keeps its blank. */
  const keepMark = (): void => {
    if (hasSpace && breaks === 0 && parts.at(-1) === '--') parts[parts.length - 1] = '-- '
  }

  return {
    write: text => (preserved > 0 ? writePreserved(text) : writeFlowing(text)),
    breakLine(count) {
      keepMark()
      breaks = Math.max(breaks, count)
    },
    addLine() {
      keepMark()
      breaks = Math.min(breaks + 1, 2)
    },
    addTab() {
      tabs++
    },
    startItem() {
      breaks = Math.max(breaks, 1)
      marker = '- '
    },
    endItem() {
      breaks = Math.max(breaks, 1)
      marker = ''
    },
    startLink(href) {
      link = { href, start: parts.length }
    },
    endLink() {
      if (!link) return
      const { href, start } = link
      link = undefined
      const text = parts.slice(start).join('').trim()
      // After the words of the link, even where a block ended inside it.
      if (text === '') push(href)
      else if (text !== href) parts.push(` (${href})`)
    },
    preserve(isPreserved) {
      preserved = Math.max(preserved + (isPreserved ? 1 : -1), 0)
    },
    end() {
      this.endLink()
      return parts.join('')
    },
  }
}
