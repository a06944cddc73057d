// Writing in Markdown: the text, and the look of the mail that is made from it.
import { t } from '../../texts'
import { MailSettings } from '../blocks/mail-settings'
import { variablesOf } from '../blocks/variables'
import type { MarkdownText } from '../writing'
import CodeEditor from './code-editor'

interface MarkdownEditorProps {
  value: MarkdownText
  onChange: (value: MarkdownText) => void
  fields: readonly string[]
}

export default function MarkdownEditor({ value, onChange, fields }: MarkdownEditorProps) {
  return (
    <div className="space-y-3">
      <CodeEditor
        language="markdown"
        label={t.writing.formatNames.markdown}
        value={value.text}
        onChange={text => onChange({ ...value, text })}
        variables={variablesOf(fields)}
      />
      <p className="text-quiet">{t.writing.markdownHint}</p>
      <div className="rounded-lg border border-line bg-sheet p-4">
        <MailSettings value={value} onChange={onChange} />
      </div>
    </div>
  )
}
