// A workflow as a drawing: the graph, and beside it the steps as a list or the selected one. On phones the graph is above the list, and a
// step opens as a sheet.
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useMemo } from 'react'
import { ForWritersFields } from '../../app/rights'
import { mayWrite, useProject } from '../../app/session'
import { Conflict } from '../../editor/conflict'
import Canvas from '../../editor/flow/canvas'
import { type AddedType, insert, newStepId, type Port, type Step, stepOf } from '../../editor/flow/graph'
import { OfferNote } from '../../editor/offer-note'
import { SaveState, UndoRedo } from '../../editor/save-state'
import { useDraftKeys } from '../../editor/use-draft'
import { t } from '../../texts'
import { Button, IconButton } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { ErrorNote } from '../../ui/error-note'
import { formatCompact } from '../../ui/format'
import { Loaded } from '../../ui/loading'
import { toast } from '../../ui/toast'
import { useIsWide } from '../../ui/use-media'
import { inShort, isSubscription, stepCountsQuery, type Whole, workflowQuery } from './data'
import { Frame } from './frame'
import { More } from './more'
import { Branches, StepPanel } from './panel/step'
import { PublishChanges } from './publish'
import { sayBranches, sayGraph } from './say'
import { Settings } from './settings'
import { StepList } from './step-list'
import { Switch } from './switch'
import { type Editor, useEditor } from './use-editor'
import { useNames } from './use-names'
import { useWriteEmail } from './write-email'

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

/** How many contacts are at each step now, where there are any. */
function useHere(id: string): ReadonlyMap<string, string> {
  const { data } = useQuery(stepCountsQuery(id))
  return useMemo(() => {
    const more = data?.isMore ? '+' : ''
    return new Map(data?.steps.map(({ stepId, executions }) => [stepId, formatCompact(executions) + more]))
  }, [data])
}

function Drawn({ workflow }: { workflow: Whole }) {
  const [chosen, choose] = useChosen()
  const editor = useEditor(workflow, choose)
  const { draft, graph, faulty, change, store } = editor
  const names = useNames(workflow)
  const here = useHere(workflow.id)
  const said = useMemo(() => sayGraph(graph, names), [graph, names])
  const branches = useMemo(() => sayBranches(graph), [graph])
  const add = (at: { stepId: string; port: Port }, type: AddedType): void => {
    const step: Step = { id: newStepId(), type, name: t.workflows.types[type], config: {}, templateId: null }
    change(insert(graph, at, step))
    choose(step.id)
  }
  const save = async (): Promise<void> => {
    if (draft.isLive) toast(t.writing.keptHere)
    else if (await store()) toast(t.words.saved)
  }
  useDraftKeys(draft, save)
  return (
    <Frame
      workflow={workflow}
      saved={<SaveState draft={draft} onMissing={editor.toFaulty} />}
      history={<UndoRedo history={draft} />}
      actions={
        <>
          <More
            workflow={workflow}
            onSettings={() => choose('settings')}
            store={draft.isLive ? undefined : store}
          />
          <Switch
            enabled={workflow.enabled}
            running={inShort(workflow.executionCounts).running}
            onCheck={editor.check}
            onSwitch={editor.switchTo}
          />
          {draft.isLive && <PublishChanges workflow={workflow} editor={editor} />}
        </>
      }
    >
      <OfferNote draft={draft} />
      {editor.problem !== undefined && <ErrorNote error={editor.problem} takesFocus />}
      <div className="grid gap-4 lg:grid-cols-[minmax(0,1fr)_23rem]">
        <Canvas
          label={t.workflows.graph}
          className="h-[45dvh] rounded-lg border border-line bg-sunken lg:h-[max(26rem,calc(100dvh-10.5rem))]"
          graph={graph}
          {...{ chosen, said, branches, faulty, here }}
          onChoose={choose}
          onAdd={mayWrite(useProject()) ? add : undefined}
        />
        <Side {...{ workflow, editor, chosen, said, faulty, here }} onChoose={choose} onAdd={add} />
      </div>
      <Settings
        workflow={workflow}
        settled={editor.settled}
        open={chosen === 'settings'}
        onClose={() => choose()}
        onChanged={editor.took}
      />
      <Conflict draft={draft} onKeep={editor.keepMine} />
    </Frame>
  )
}

interface SideProps {
  workflow: Whole
  editor: Editor
  chosen?: string
  said: ReadonlyMap<string, string>
  faulty: ReadonlySet<string>
  here: ReadonlyMap<string, string>
  onChoose: (step?: string) => void
  onAdd: (at: { stepId: string; port: Port }, type: AddedType) => void
}

function Side({ workflow, editor, chosen, said, faulty, here, onChoose, onAdd }: SideProps) {
  const isWide = useIsWide()
  const step = stepOf(editor.graph, chosen)
  const panel = step && (
    <>
      <RunsHere workflowId={workflow.id} stepId={step.id} runs={here.get(step.id)} />
      <ForWritersFields>
        <Chosen workflow={workflow} editor={editor} step={step} onAdd={onAdd} onChoose={onChoose} />
      </ForWritersFields>
    </>
  )
  const frame =
    'min-w-0 rounded-lg border border-line bg-sheet p-4 lg:h-[max(26rem,calc(100dvh-10.5rem))] lg:overflow-y-auto'
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
      <StepList graph={editor.graph} {...{ said, chosen, faulty, here }} onChoose={onChoose} />
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

/** Leads to the contacts that are at the step. */
function RunsHere({ workflowId, stepId, runs }: { workflowId: string; stepId: string; runs?: string }) {
  if (runs === undefined) return null
  return (
    <Link
      to="/workflows/$id/executions"
      params={{ id: workflowId }}
      search={{ step: stepId }}
      className="mb-4 flex items-center justify-between gap-3 rounded-md bg-accent-soft px-3 py-2 font-medium text-accent hover:underline"
    >
      {t.workflows.runsHere(runs)}
      <ChevronRight className="size-4 shrink-0" aria-hidden />
    </Link>
  )
}

type ChosenProps = Pick<SideProps, 'workflow' | 'editor' | 'onAdd' | 'onChoose'> & { step: Step }

function Chosen({ workflow, editor, step, onAdd, onChoose }: ChosenProps) {
  const { graph, change, faults, warnings } = editor
  const write = useWriteEmail(workflow, editor)
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
      onWrite={() => write(step)}
    />
  )
}
