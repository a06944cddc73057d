// Keeps compiled templates, so that a campaign parses its body once and a busy transactional template stays parsed. Bounded by bytes,
// least recently used dropped first; whoever needs a cache creates it and passes it on.
import { type CompiledTemplate, compileTemplate, type RenderMode } from './template'

export interface TemplateCache {
  /** The compiled form of `source`; `make` builds it where it takes more than a plain compilation. */
  get(
    source: string,
    mode: RenderMode,
    make?: (source: string, mode: RenderMode) => CompiledTemplate,
  ): CompiledTemplate
  /** The size of what is kept at the moment, as roughly measured by the entries. */
  readonly bytes: number
}

export function createTemplateCache(maxBytes = 64 * 1024 * 1024): TemplateCache {
  const kept: Record<RenderMode, Map<string, CompiledTemplate>> = {
    html: new Map(),
    text: new Map(),
    line: new Map(),
    data: new Map(),
  }
  let bytes = 0

  const evictFrom = (entries: Map<string, CompiledTemplate>): void => {
    for (const [source, template] of entries) {
      if (bytes <= maxBytes) return
      entries.delete(source)
      bytes -= template.bytes
    }
  }

  return {
    get bytes() {
      return bytes
    },
    get(source, mode, make = compileTemplate) {
      const entries = kept[mode]
      const known = entries.get(source)
      if (known) {
        // A Map iterates in the order of insertion, so an entry that is moved to the end is the newest.
        entries.delete(source)
        entries.set(source, known)
        return known
      }
      const made = make(source, mode)
      if (made.bytes > maxBytes) return made
      entries.set(source, made)
      bytes += made.bytes
      // Entries of its own kind are dropped first, others only where that is not enough.
      for (const others of [entries, ...Object.values(kept)]) evictFrom(others)
      return made
    },
  }
}
