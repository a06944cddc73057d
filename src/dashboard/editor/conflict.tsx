// Two people have edited the same thing: nothing is overwritten before somebody has chosen.
import { useState } from 'react'
import { t } from '../texts'
import { Button } from '../ui/button'
import { Actions, Dialog } from '../ui/dialog'
import { MailFrame } from '../ui/mail/frame'

interface Side {
  subject: string
  body: string
}

interface ConflictProps {
  draft: {
    theirs: unknown
    asks: boolean
    ask: (asks: boolean) => void
    take: () => Promise<void>
  }
  onKeep: () => void
  /** None for what can't be shown side by side. */
  mine?: Side
  theirs?: Side | undefined
}

export function Conflict({ draft, onKeep, mine, theirs }: ConflictProps) {
  const [showsBoth, setShowsBoth] = useState(false)
  return (
    <Dialog
      open={draft.asks && draft.theirs !== undefined}
      wide={showsBoth}
      onClose={() => draft.ask(false)}
      title={t.writing.conflictTitle}
      description={t.writing.conflictHint}
    >
      {mine && theirs && showsBoth && (
        <div className="grid gap-4 md:grid-cols-2">
          <Shown title={t.writing.mine} side={mine} />
          <Shown title={t.writing.theirs} side={theirs} />
        </div>
      )}
      <Actions>
        {mine && theirs && !showsBoth && (
          <Button onClick={() => setShowsBoth(true)}>{t.writing.seeBoth}</Button>
        )}
        <Button onClick={() => void draft.take()}>{t.writing.takeTheirs}</Button>
        <Button variant="danger" onClick={onKeep}>
          {t.writing.keepMine}
        </Button>
      </Actions>
    </Dialog>
  )
}

function Shown({ title, side }: { title: string; side: Side }) {
  return (
    <section className="min-w-0 space-y-2">
      <h3 className="font-semibold">{title}</h3>
      <p className="truncate">{side.subject}</p>
      <div className="max-h-96 overflow-auto rounded-md border border-line bg-sunken">
        <MailFrame html={side.body} title={side.subject} loadsImages />
      </div>
    </section>
  )
}
