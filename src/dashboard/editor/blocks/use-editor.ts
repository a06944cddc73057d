// The editor's engine inside React: created once for its element, and given a new document only where that did not come from the editor
// itself.
import { Editor } from '@tiptap/core'
import { type RefObject, useEffect, useReducer, useRef, useState } from 'react'
import type { Block } from '../mail/document'
import { useDraftHistory } from '../use-draft'
import { markBroken } from './mark-broken'
import { MarkSelected } from './mark-selected'
import { BlockKeys } from './moving'
import { pageHistory, showDocument } from './page-history'
import { blockExtensions } from './schema'

interface Given {
  element: RefObject<HTMLElement | null>
  doc: Block
  /** Read aloud. */
  label: string
  isEditable: boolean
  onChange: (doc: Block) => void
  /** Words that can't be read. */
  broken: string | undefined
  /** Pictures that were dropped or pasted. */
  onFiles: (files: File[]) => void
}

/** Room for the bars that stay at the edges while one scrolls, in pixels. */
function marginsOf(width: number) {
  return width < 1280
    ? { top: 80, right: 0, bottom: 80, left: 0 }
    : { top: 130, right: 0, bottom: 60, left: 0 }
}

export function useBlockEditor({
  element,
  doc,
  label,
  isEditable,
  broken,
  onChange,
  onFiles,
}: Given): Editor | undefined {
  const [editor, setEditor] = useState<Editor>()
  const [, draw] = useReducer((count: number) => count + 1, 0)
  const history = useDraftHistory()
  const latest = useRef({ onChange, onFiles, doc, broken, history })
  const reported = useRef(doc)
  latest.current = { onChange, onFiles, doc, broken, history }
  useEffect(() => {
    const taken = (files: FileList | undefined | null): boolean => {
      const pictures = [...(files ?? [])].filter(file => file.type.startsWith('image/'))
      if (pictures.length > 0) latest.current.onFiles(pictures)
      return pictures.length > 0
    }
    let isReady = false
    const margins = marginsOf(innerWidth)
    const made = new Editor({
      element: element.current,
      extensions: [
        ...blockExtensions(),
        BlockKeys,
        MarkSelected,
        pageHistory(() => latest.current.history),
        markBroken(() => latest.current.broken),
      ],
      content: latest.current.doc,
      editable: isEditable,
      // Its styles are in our own style sheet: the page's Content-Security-Policy allows no others.
      injectCSS: false,
      editorProps: {
        attributes: { role: 'textbox', 'aria-multiline': 'true', 'aria-label': label, class: 'mail-canvas' },
        // What is typed is not hidden by the bars above and below.
        scrollThreshold: margins,
        scrollMargin: margins,
        handlePaste: (_, event) => taken(event.clipboardData?.files),
        handleDrop: (_, event) => taken(event.dataTransfer?.files),
      },
      onUpdate: ({ editor: changed }) => {
        if (!isReady) return
        reported.current = changed.getJSON() as Block
        latest.current.onChange(reported.current)
      },
      onTransaction: draw,
    })
    // What extensions add to every document, such as a last line to write in, is no change that somebody made.
    made.view.dispatch(made.state.tr)
    isReady = true
    setEditor(made)
    return () => made.destroy()
  }, [element, label, isEditable])
  useEffect(() => {
    if (!editor || doc === reported.current) return
    reported.current = doc
    showDocument(editor, doc)
  }, [editor, doc])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the marks are drawn anew when the words are others.
  useEffect(() => {
    editor?.view.dispatch(editor.state.tr)
  }, [editor, broken])
  return editor
}
