// Writing source: HTML with Liquid, or Markdown, with variable names suggested as one types. Loaded when opened. It is in a shadow tree,
// because there its library adds its styles as constructed style sheets, which the page's Content-Security-Policy allows, and not as
// elements.
import { autocompletion, type CompletionContext, type CompletionResult } from '@codemirror/autocomplete'
import { html } from '@codemirror/lang-html'
import { markdown } from '@codemirror/lang-markdown'
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import { EditorState, type Extension, Prec } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { basicSetup } from 'codemirror'
import { useEffect, useRef } from 'react'
import { mayWrite, useProject } from '../../app/session'

interface CodeEditorProps {
  language: 'html' | 'markdown'
  /** Read aloud. */
  label: string
  value: string
  onChange: (value: string) => void
  /** Names that placeholders may use. */
  variables: readonly string[]
}

export default function CodeEditor({ language, label, value, onChange, variables }: CodeEditorProps) {
  const host = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(undefined)
  const latest = useRef({ value, onChange, variables })
  const canWrite = mayWrite(useProject())
  latest.current = { value, onChange, variables }
  useEffect(() => {
    const { current } = host
    if (!current) return
    const root = current.shadowRoot ?? current.attachShadow({ mode: 'open' })
    const made = new EditorView({
      parent: root,
      root,
      doc: latest.current.value,
      extensions: [
        basicSetup,
        language === 'html' ? html() : markdown(),
        autocompletion({ override: [context => complete(context, latest.current.variables)] }),
        Prec.highest(looks),
        EditorView.lineWrapping,
        EditorState.readOnly.of(!canWrite),
        EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
        EditorView.updateListener.of(update => {
          if (update.docChanged) latest.current.onChange(update.state.doc.toString())
        }),
      ],
    })
    view.current = made
    return () => made.destroy()
  }, [language, label, canWrite])
  useEffect(() => {
    const { current } = view
    const shown = current?.state.doc.toString()
    if (!current || shown === undefined || shown === value) return
    current.dispatch({ changes: differing(shown, value) })
  }, [value])
  return <div ref={host} data-code className="overflow-hidden rounded-lg border border-line bg-sheet" />
}

/** Only what differs is replaced, so that the cursor stays. */
function differing(before: string, after: string): { from: number; to: number; insert: string } {
  const most = Math.min(before.length, after.length)
  let from = 0
  while (from < most && before[from] === after[from]) from++
  let same = 0
  while (same < most - from && before.at(-1 - same) === after.at(-1 - same)) same++
  return { from, to: before.length - same, insert: after.slice(from, after.length - same) }
}

/** After two braces the names are suggested; choosing one also closes the braces. */
function complete(context: CompletionContext, variables: readonly string[]): CompletionResult | null {
  const typed = context.matchBefore(/\{\{\s*[\w.]*/)
  if (!typed) return null
  const options = variables.map(name => ({ label: `{{${name}}}`, type: 'variable' }))
  return { from: typed.from, to: closing(context), options, validFor: /^\{\{[\w.]*$/ }
}

/** Braces that the editor closed automatically are replaced too. */
function closing({ state, pos }: CompletionContext): number {
  return /^\}{0,2}/.exec(state.sliceDoc(pos, pos + 2))![0].length + pos
}

const looks: Extension = [
  EditorView.theme({
    '&': { color: 'var(--ink)', backgroundColor: 'var(--sheet)', fontSize: '13px', height: '60vh' },
    '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '-2px' },
    '.cm-scroller': {
      fontFamily: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace',
      lineHeight: '1.6',
    },
    '.cm-gutters': { backgroundColor: 'var(--sunken)', color: 'var(--quiet)', border: 'none' },
    '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'transparent', color: 'inherit' },
    '.cm-cursor': { borderLeftColor: 'var(--ink)' },
    '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
      backgroundColor: 'var(--accent-soft)',
    },
    '.cm-tooltip': { backgroundColor: 'var(--raised)', color: 'var(--ink)', border: '1px solid var(--line)' },
    '.cm-tooltip-autocomplete ul li[aria-selected]': { backgroundColor: 'var(--hover)', color: 'var(--ink)' },
  }),
  syntaxHighlighting(
    HighlightStyle.define([
      { tag: [tags.tagName, tags.heading, tags.keyword], color: 'var(--accent)', fontWeight: '600' },
      { tag: [tags.attributeName, tags.link, tags.url], color: 'var(--warn)' },
      { tag: [tags.attributeValue, tags.string], color: 'var(--good)' },
      { tag: [tags.comment, tags.meta, tags.angleBracket], color: 'var(--quiet)' },
      { tag: tags.strong, fontWeight: '700' },
      { tag: tags.emphasis, fontStyle: 'italic' },
    ]),
  ),
]
