// How wide a layout shows the mail in it: so wide is the paper.
import { mailWidth } from './render'

const styles = /<style[\s\S]*?<\/style>/gi
const widths = /(?:\bmax-width:\s*|\bwidth=")(\d{3})(?:px|")/gi

/** The widest limit in pixels before its content; as wide as without a layout if it has none. */
export function layoutWidth(source: string): number {
  const before = source.replaceAll(styles, '').split(/\{\{\s*content\s*\}\}/)[0]!
  const limits = [...before.matchAll(widths)].map(([, width]) => Number(width))
  const sensible = limits.filter(width => width >= 320 && width <= 900)
  return sensible.length > 0 ? Math.max(...sensible) : mailWidth
}
