// A layout that is drawn in blocks, around the place where the content of emails goes.
import { useQuery } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { ForWritersFields } from '../../app/rights'
import { fieldNamesQuery } from '../../editor/data'
import type { MailDocument } from '../../editor/mail/document'
import { mailWidth } from '../../editor/mail/render'
import type { Mode } from '../../editor/writer'
import { t } from '../../texts'
import { Button } from '../../ui/button'
import { classes } from '../../ui/classes'
import { Confirm } from '../../ui/confirm'
import { Skeleton } from '../../ui/loading'
import { LayoutSample } from './sample-mail'

const BlockEditor = lazy(() => import('../../editor/blocks/block-editor'))

interface DrawnProps {
  blocks: MailDocument
  /** What the blocks become. */
  body: string
  mode: Mode
  onMode: (mode: Mode) => void
  onChange: (blocks: MailDocument) => void
  /** From now on it is HTML. */
  onSource: () => void
  /** Above the paper. */
  children: ReactNode
}

export function Drawn({ blocks, body, mode, onMode, onChange, onSource, children }: DrawnProps) {
  const [asks, setAsks] = useState(false)
  const { data: fields = [] } = useQuery(fieldNamesQuery)
  return (
    <div className="-mx-4 -mt-4 md:-mx-8">
      <div className={classes(mode === 'preview' && 'hidden')}>
        <Suspense fallback={<Skeleton className="mx-auto my-6 h-96 w-full max-w-[600px]" />}>
          <ForWritersFields>
            <BlockEditor
              value={blocks}
              onChange={onChange}
              fields={fields}
              width={mailWidth}
              broken={undefined}
              head={<div className="space-y-2 max-md:p-4">{children}</div>}
              switcher={
                <Button variant="quiet" onClick={() => setAsks(true)}>
                  {t.layouts.toSource}
                </Button>
              }
            />
          </ForWritersFields>
        </Suspense>
      </div>
      {mode === 'preview' && <LayoutSample layout={body} isPage />}
      <Confirm
        open={asks}
        onClose={() => setAsks(false)}
        title={t.layouts.toSource}
        consequence={t.layouts.toSourceHint}
        actionVariant="strong"
        onConfirm={async () => {
          onMode('write')
          onSource()
        }}
      />
    </div>
  )
}
