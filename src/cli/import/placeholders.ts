// Placeholders of programs that write them as `{{ name }}`, as Liquid. What has no equivalent is a fault with its line. Pure.
import type { Translated } from './go-template'

/** `rewrite` is given what is between the braces, and returns its Liquid, and `rewriteTag` the same of a tag. Without it tags are refused. */
export function rewritePlaceholders(
  source: string,
  rewrite: (inside: string) => string | undefined,
  rewriteTag: (inside: string) => string | undefined = () => undefined,
): Translated {
  const faults: string[] = []
  let text = ''
  let at = 0
  for (let open = nextOpen(source, 0); open !== -1; open = nextOpen(source, at)) {
    const isTag = source[open + 1] === '%'
    const close = source.indexOf(isTag ? '%}' : '}}', open + 2)
    if (close === -1) break
    const inside = source.slice(open + 2, close).trim()
    const output = isTag ? rewriteTag(inside) : rewrite(inside)
    const line = source.slice(0, open).split('\n').length
    if (output === undefined) faults.push(`line ${line}: ${source.slice(open, close + 2).slice(0, 80)}`)
    text += source.slice(at, open) + (isTag ? `{% ${output} %}` : `{{ ${output} }}`)
    at = close + 2
  }
  return { text: text + source.slice(at), faults }
}

function nextOpen(source: string, from: number): number {
  const [output, tag] = [source.indexOf('{{', from), source.indexOf('{%', from)]
  if (output === -1 || tag === -1) return Math.max(output, tag)
  return Math.min(output, tag)
}
