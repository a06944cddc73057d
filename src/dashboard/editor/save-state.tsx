// The one place beside the title that says whether what is shown is stored, and the buttons of the draft's history.
import { Redo2, Undo2 } from 'lucide-react'
import { useEffect, useReducer } from 'react'
import { ForSenders, ForWriters } from '../app/rights'
import { mayWrite, useProject } from '../app/session'
import { t } from '../texts'
import { Button, IconButton } from '../ui/button'
import { classes } from '../ui/classes'
import { formatRelative } from '../ui/format'
import { toast } from '../ui/toast'
import type { DraftState } from './draft-state'
import type { DraftHistory } from './use-draft'

type State = Omit<DraftState<unknown, unknown>, 'value' | 'version'>

interface SaveStateProps {
  draft: State & { discard: () => void; ask: (asks: boolean) => void }
  /** Leads to what is missing. */
  onMissing?: (() => void) | undefined
}

export function SaveState({ draft, onMissing }: SaveStateProps) {
  const { theirs, isLive, isDirty, missing } = draft
  const trouble = troubleOf(draft)
  if (!mayWrite(useProject())) return <p className="truncate text-sm text-quiet">{t.writing.viewOnly}</p>
  const isMissing = theirs === undefined && trouble !== undefined && Object.keys(missing).length > 0
  return (
    <div className="flex min-w-0 items-center gap-2 text-sm text-quiet">
      {/* Only what needs attention is read aloud. */}
      <p role="status" title={trouble} className={classes('truncate', trouble !== undefined && 'text-warn')}>
        {trouble}
      </p>
      {trouble === undefined && <Calm draft={draft} />}
      {theirs !== undefined && <Button onClick={() => draft.ask(true)}>{t.writing.seeBoth}</Button>}
      {isMissing && onMissing && <Button onClick={onMissing}>{t.writing.toMissing}</Button>}
      {isLive && isDirty && theirs === undefined && (
        <Button onClick={draft.discard}>{t.writing.dropDraft}</Button>
      )}
    </div>
  )
}

export function UndoRedo({ history: { undo, redo, canUndo, canRedo } }: { history: DraftHistory }) {
  return (
    <ForWriters>
      <div className="flex">
        <IconButton label={t.words.undo} aria-keyshortcuts="Control+Z" disabled={!canUndo} onClick={undo}>
          <Undo2 aria-hidden />
        </IconButton>
        <IconButton
          label={t.words.redo}
          aria-keyshortcuts="Control+Shift+Z"
          disabled={!canRedo}
          onClick={redo}
        >
          <Redo2 aria-hidden />
        </IconButton>
      </div>
    </ForWriters>
  )
}

interface PublishProps {
  draft: Pick<State, 'isDirty' | 'busy'>
  /** By a press; undefined if that is refused. */
  store: () => Promise<unknown>
}

/** For what reaches people as soon as it is stored. */
export function Publish({ draft: { isDirty, busy }, store }: PublishProps) {
  const publish = async (): Promise<void> => {
    if (await store()) toast(t.writing.published)
  }
  return (
    <ForSenders label={t.writing.publish} variant="strong">
      <Button variant="strong" disabled={!isDirty && !busy} busy={busy} onClick={publish}>
        {t.writing.publish}
      </Button>
    </ForSenders>
  )
}

/** What keeps it from being stored. */
function troubleOf({ theirs, offer, problem, isOffline, isLive, missing }: State): string | undefined {
  if (theirs !== undefined) return t.writing.conflictTitle
  if (offer !== undefined) return undefined
  if (isOffline) return isLive ? t.writing.offlineLive : t.writing.offline
  if (problem !== undefined)
    return t.writing.notSaved(problem instanceof Error ? problem.message : t.errors.unknown)
  const [first] = Object.values(missing)
  return first === undefined ? undefined : t.writing.savedExcept(first)
}

function Calm({ draft: { isLive, isDirty, busy, savedAt, offer } }: { draft: State }) {
  useMinutes()
  if (isDirty && (isLive || offer !== undefined))
    return <p className="truncate">{isLive ? t.writing.unpublished : t.writing.unsaved}</p>
  if (isDirty || busy) return <p className="truncate">{t.writing.saving}</p>
  if (savedAt === undefined) return isLive ? null : <p className="truncate">{t.words.saved}</p>
  return <p className="truncate">{t.writing.savedAgo(formatRelative(savedAt))}</p>
}

/** Draws anew as time passes. */
function useMinutes(): void {
  const [, draw] = useReducer((count: number) => count + 1, 0)
  useEffect(() => {
    const timer = setInterval(draw, 20_000)
    return () => clearInterval(timer)
  }, [])
}
