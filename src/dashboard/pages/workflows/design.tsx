// A workflow as a drawing: the graph, and beside it the steps as a list or the selected one. On phones the graph is above the list, and a
// step opens as a sheet.
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { ChevronLeft, Redo2, Undo2 } from 'lucide-react'
import { useEffect, useMemo } from 'react'
import Canvas from '../../editor/flow/canvas'
import { type AddedType, insert, newStepId, type Port, type Step, stepOf } from '../../editor/flow/graph'
import { useSaveKey } from '../../editor/save'
import { t } from '../../texts'
import { Button, IconButton } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { ErrorNote } from '../../ui/error-note'
import { Loaded } from '../../ui/loading'
import { toast } from '../../ui/toast'
import { useIsWide } from '../../ui/use-media'
import { inShort, isSubscription, type Whole, workflowQuery } from './data'
import { Frame } from './frame'
import { More } from './more'
import { Branches, StepPanel } from './panel/step'
import { sayBranches, sayGraph } from './say'
import { Settings } from './settings'
import { StepList } from './step-list'
import { Switch } from './switch'
import { type Editor, useEditor } from './use-editor'
import { useNames } from './use-names'

const route = getRouteApi('/inside/workflows/$id')

export function Design() {
  const { id } = route.useParams()
  const query = useQuery(workflowQuery(id))
  return (
    <Loaded page query={query}>
      {workflow => <Drawn key={id} workflow={workflow} />}
    </Loaded>
  )
}

/** What is selected is kept in the address: a step, or the settings. */
function useChosen(): [chosen: string | undefined, choose: (step?: string) => void] {
  const navigate = useNavigate()
  const { id } = route.useParams()
  const { step } = route.useSearch()
  return [
    step,
    next => void navigate({ to: '/workflows/$id', params: { id }, search: { step: next }, replace: true }),
  ]
}

function Drawn({ workflow }: { workflow: Whole }) {
  const editor = useEditor(workflow)
  const [chosen, choose] = useChosen()
  const { graph, isDirty, busy, change, save } = editor
  useKeys(editor)
  const names = useNames(workflow)
  const said = useMemo(() => sayGraph(graph, names), [graph, names])
  const branches = useMemo(() => sayBranches(graph), [graph])
  const faulty = useMemo(
    () => new Set([...editor.faults.keys(), ...editor.warnings.flatMap(({ stepId }) => stepId ?? [])]),
    [editor.faults, editor.warnings],
  )
  const add = (at: { stepId: string; port: Port }, type: AddedType): void => {
    const step: Step = { id: newStepId(), type, name: t.workflows.types[type], config: {}, templateId: null }
    change(insert(graph, at, step))
    choose(step.id)
  }
  const saveNow = async (): Promise<void> => {
    if (await save()) toast(workflow.enabled ? t.workflows.savedLive : t.words.saved)
  }
  return (
    <Frame
      workflow={workflow}
      actions={
        <>
          <More
            workflow={workflow}
            onSettings={() => choose('settings')}
            onDiscard={isDirty ? editor.takeTheirs : undefined}
          />
          <Button disabled={!isDirty} busy={busy} onClick={saveNow}>
            {isDirty ? t.workflows.saveChanges : t.words.saved}
          </Button>
          <Switch
            enabled={workflow.enabled}
            running={inShort(workflow.executionCounts).running}
            onCheck={save}
            onSwitch={editor.switchTo}
          />
        </>
      }
    >
      <Notes editor={editor} />
      <div className="grid gap-4 lg:grid-cols-[minmax(0,1fr)_23rem]">
        <Canvas
          label={t.workflows.graph}
          className="h-[45dvh] rounded-lg border border-line bg-sunken lg:h-[max(26rem,calc(100dvh-13.5rem))]"
          graph={graph}
          {...{ chosen, said, branches, faulty }}
          onChoose={choose}
          onAdd={add}
          tools={<UndoRedo editor={editor} />}
        />
        <Side {...{ workflow, editor, chosen, said, faulty }} onChoose={choose} onAdd={add} />
      </div>
      <Settings
        workflow={workflow}
        revision={editor.revision}
        open={chosen === 'settings'}
        onClose={() => choose()}
        onChanged={editor.took}
      />
    </Frame>
  )
}

function UndoRedo({ editor: { undo, redo } }: { editor: Editor }) {
  return (
    <>
      <IconButton label={t.words.undo} disabled={!undo} onClick={undo}>
        <Undo2 aria-hidden />
      </IconButton>
      <IconButton label={t.words.redo} disabled={!redo} onClick={redo}>
        <Redo2 aria-hidden />
      </IconButton>
    </>
  )
}

/** Undoing, redoing and saving by keyboard; fields have an undo of their own. */
function useKeys({ undo, redo, isDirty, save }: Editor): void {
  useSaveKey(() => isDirty && save())
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      if (!(event.metaKey || event.ctrlKey)) return
      const isTyping = event.target instanceof HTMLElement && event.target.matches('input, textarea, select')
      const act = { z: event.shiftKey ? redo : undo, Z: redo, y: redo }[event.key]
      if (!act || isTyping) return
      event.preventDefault()
      act()
    }
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  })
}

/** What prevents saving: an error that belongs to no step, or somebody else who has saved meanwhile. */
function Notes({ editor: { error, isBehind, takeTheirs, keepMine } }: { editor: Editor }) {
  if (isBehind)
    return (
      <div role="alert" className="flex flex-wrap items-center gap-3 rounded-lg bg-warn-soft px-4 py-3">
        <p className="min-w-60 flex-1">
          <span className="font-medium">{t.workflows.conflict}</span> {t.workflows.conflictHint}
        </p>
        <Button onClick={takeTheirs}>{t.workflows.takeTheirs}</Button>
        <Button onClick={keepMine}>{t.workflows.keepMine}</Button>
      </div>
    )
  return error === undefined ? null : <ErrorNote error={error} takesFocus />
}

interface SideProps {
  workflow: Whole
  editor: Editor
  chosen?: string
  said: ReadonlyMap<string, string>
  faulty: ReadonlySet<string>
  onChoose: (step?: string) => void
  onAdd: (at: { stepId: string; port: Port }, type: AddedType) => void
}

function Side({ workflow, editor, chosen, said, faulty, onChoose, onAdd }: SideProps) {
  const isWide = useIsWide()
  const step = stepOf(editor.graph, chosen)
  const panel = step && (
    <Chosen workflow={workflow} editor={editor} step={step} onAdd={onAdd} onChoose={onChoose} />
  )
  const frame =
    'min-w-0 rounded-lg border border-line bg-sheet p-4 lg:h-[max(26rem,calc(100dvh-13.5rem))] lg:overflow-y-auto'
  if (panel && isWide)
    return (
      <aside aria-label={step.name} className={frame}>
        <header className="mb-4 flex items-center gap-1">
          <IconButton label={t.workflows.allSteps} className="-ml-2" onClick={() => onChoose()}>
            <ChevronLeft aria-hidden />
          </IconButton>
          <h2 className="font-semibold">{t.workflows.types[step.type]}</h2>
        </header>
        {panel}
      </aside>
    )
  return (
    <aside aria-label={t.workflows.steps} className={frame}>
      <h2 className="mb-2 font-semibold">{t.workflows.steps}</h2>
      <StepList graph={editor.graph} {...{ said, chosen, faulty }} onChoose={onChoose} />
      <Dialog
        open={panel !== undefined}
        onClose={() => onChoose()}
        title={step ? t.workflows.types[step.type] : ''}
      >
        {panel}
      </Dialog>
    </aside>
  )
}

type ChosenProps = Pick<SideProps, 'workflow' | 'editor' | 'onAdd' | 'onChoose'> & { step: Step }

function Chosen({ workflow, editor, step, onAdd, onChoose }: ChosenProps) {
  const { graph, change, faults, warnings } = editor
  const { eventName } = (workflow.triggerConfig ?? {}) as { eventName?: string }
  if (step.type === 'TRIGGER')
    return (
      <div className="space-y-4">
        <p>{t.workflows.triggerHint}</p>
        {workflow.triggerType === 'EVENT' && isSubscription(eventName) && (
          <p className="text-quiet">{t.contacts.starts[eventName]}</p>
        )}
        {workflow.includeBulkChanges && <p className="text-quiet">{t.workflows.includeBulk}</p>}
        <Button onClick={() => onChoose('settings')}>{t.workflows.changeTrigger}</Button>
        <Branches graph={graph} step={step} onChange={change} onAdd={onAdd} />
      </div>
    )
  return (
    <StepPanel
      key={step.id}
      {...{ graph, step, eventName, onAdd }}
      faults={faults.get(step.id) ?? {}}
      warning={warnings.find(({ stepId }) => stepId === step.id)?.message}
      onChange={change}
      onRemoved={() => onChoose()}
    />
  )
}
