// Where the form is: its own page, and the HTML for other pages.
import { ExternalLink } from 'lucide-react'
import { useState } from 'react'
import { t } from '../../texts'
import { buttonClass } from '../../ui/button'
import { CodeBlock, CopyValue } from '../../ui/copy'
import { CheckField } from '../../ui/field'
import { Card } from '../../ui/page'
import type { SignUpForm } from './data'

export function Embed({ form: { id, url, snippet, enabled } }: { form: SignUpForm }) {
  const [withScript, setWithScript] = useState(false)
  const script = `\n<script src="${url.slice(0, -id.length)}embed.js" async></script>`
  return (
    <Card title={t.forms.where}>
      <div className="space-y-4">
        <CopyValue value={url} />
        {enabled && (
          <p>
            <a className={buttonClass('plain')} href={url} target="_blank" rel="noreferrer">
              <ExternalLink aria-hidden />
              {t.forms.openPage}
            </a>
          </p>
        )}
        <p className="text-quiet">{t.forms.snippetHint}</p>
        <CodeBlock code={withScript ? snippet + script : snippet} className="max-h-72 overflow-hidden" />
        <CheckField
          name="script"
          label={t.forms.script}
          hint={t.forms.scriptHint}
          checked={withScript}
          onChange={event => setWithScript(event.target.checked)}
        />
      </div>
    </Card>
  )
}
