// PostgreSQL's own analysis of a statement, as `debug_print_parse` tells it: `{NODE :field value …}`, lists in parentheses.

export interface TreeNode {
  kind: string
  fields: Record<string, TreeValue>
}
export type TreeValue = TreeNode | TreeValue[] | string | null

/** Reads the text of a tree. */
export function parseTree(text: string): TreeNode {
  const tokens = text.matchAll(/\\(.)|"((?:[^"\\]|\\.)*)"|([{}()[\]])|((?:[^\s{}()[\]\\"]|\\.)+)/gs)
  const words = Array.from(tokens, found => found[0])
  let at = 0

  const value = (): TreeValue => {
    const word = words[at++]!
    if (word === '{') return node()
    if (word === '(' || word === '[') return list(word === '(' ? ')' : ']')
    return word === '<>' ? null : word.startsWith('"') ? word.slice(1, -1) : word
  }
  const list = (end: string): TreeValue[] => {
    const items: TreeValue[] = []
    while (words[at] !== end) items.push(value())
    at++
    return items
  }
  const node = (): TreeNode => {
    const fields: Record<string, TreeValue> = {}
    const kind = words[at++]!
    while (words[at] !== '}') {
      const name = words[at++]!.slice(1)
      const values: TreeValue[] = []
      while (words[at] !== '}' && !/^:\D/.test(words[at]!)) values.push(value())
      // A constant is its length, and its bytes in brackets.
      fields[name] = values.length > 1 ? values.at(-1)! : (values[0] ?? null)
    }
    at++
    return { kind, fields }
  }

  at++
  return node()
}

export function isNode(value: TreeValue | undefined): value is TreeNode {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function nodesOf(value: TreeValue | undefined): TreeNode[] {
  return Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : []
}
