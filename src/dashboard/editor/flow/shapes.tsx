// The parts of a drawn graph: boxes of steps, open ends, and lines with their labels. All of them are pressed like any other button.
import {
  BaseEdge,
  type Edge,
  EdgeLabelRenderer,
  type EdgeProps,
  Handle,
  type Node,
  type NodeProps,
  Position,
} from '@xyflow/react'
import { Plus } from 'lucide-react'
import { createContext, useContext } from 'react'
import { t } from '../../texts'
import { classes } from '../../ui/classes'
import { Menu } from '../../ui/menu'
import { type AddedType, type Port, portKey, stepTypes } from './graph'
import { StepIcon } from './icons'
import { type Box, boxHeight, boxWidth, type FlowLine } from './layout'

/** What became of a step, where a run is drawn. */
export type StepMark = 'done' | 'failed' | 'waiting' | 'untouched'

export interface Drawing {
  chosen?: string
  onChoose: (stepId: string) => void
  /** Without it nothing can be added. */
  onAdd?: (at: { stepId: string; port: Port }, type: AddedType) => void
  /** Each step in a few words, by id. */
  said: ReadonlyMap<string, string>
  /** Labels of the ways on, by the id of their line. */
  branches: ReadonlyMap<string, string>
  marks?: ReadonlyMap<string, StepMark>
  /** Lines that a run took, by id. */
  taken?: ReadonlySet<string>
  faulty: ReadonlySet<string>
  /** How many contacts are at a step now, formatted. */
  here?: ReadonlyMap<string, string>
}

export const DrawingContext = createContext<Drawing & { names: ReadonlyMap<string, string> }>({
  names: new Map(),
  onChoose: () => {},
  said: new Map(),
  branches: new Map(),
  faulty: new Set(),
})

const marks: Record<StepMark, string> = {
  done: 'border-good',
  failed: 'border-bad',
  waiting: 'border-warn',
  untouched: 'border-line opacity-60',
}

export type StepNode = Node<{ box: Box }, 'step'>
export type EndNode = Node<{ box: Box }, 'end'>
export type FlowEdge = Edge<{ line: FlowLine }, 'way'>

export function StepShape({ data: { box } }: NodeProps<StepNode>) {
  const { chosen, onChoose, said, marks: found, faulty, here } = useContext(DrawingContext)
  const step = box.step!
  const mark = found && (found.get(step.id) ?? 'untouched')
  return (
    <>
      <Ends />
      <button
        type="button"
        aria-pressed={chosen === step.id}
        onClick={() => onChoose(step.id)}
        style={{ width: boxWidth, height: boxHeight }}
        className={classes(
          'nopan flex items-center gap-3 rounded-lg border bg-sheet px-3 text-left hover:bg-hover',
          mark ? marks[mark] : faulty.has(step.id) ? 'border-warn' : 'border-edge',
          chosen === step.id && 'outline-2 outline-offset-1 outline-accent',
        )}
      >
        <StepIcon type={step.type} />
        <span className="min-w-0 flex-1">
          <span className="block truncate font-medium">{step.name}</span>
          <span className="block truncate text-xs text-quiet">{said.get(step.id)}</span>
        </span>
        <Here runs={here?.get(step.id)} />
        {mark && mark !== 'untouched' && <span className="sr-only">{t.workflows.marks[mark]}</span>}
        {!mark && faulty.has(step.id) && (
          <span className="size-2 shrink-0 rounded-full bg-warn">
            <span className="sr-only">{t.workflows.needsAttention}</span>
          </span>
        )}
      </button>
    </>
  )
}

/** How many contacts are at a step now. */
export function Here({ runs }: { runs: string | undefined }) {
  if (runs === undefined) return null
  return (
    <span
      title={t.workflows.here(runs)}
      className="shrink-0 rounded-full bg-accent-soft px-2 py-0.5 text-xs font-medium text-accent tabular-nums"
    >
      <span aria-hidden>{runs}</span>
      <span className="sr-only">{t.workflows.here(runs)}</span>
    </span>
  )
}

export function EndShape({ data: { box } }: NodeProps<EndNode>) {
  return (
    <>
      <Ends />
      <Add at={box.end!} />
    </>
  )
}

/** The handles from which lines would be drawn by hand; lines are computed here, but the canvas needs handles to exist. */
function Ends() {
  return (
    <>
      <Handle type="target" position={Position.Top} isConnectable={false} className="invisible" />
      <Handle type="source" position={Position.Bottom} isConnectable={false} className="invisible" />
    </>
  )
}

export function EdgeShape({ id, data }: EdgeProps<FlowEdge>) {
  const { onAdd, branches, taken } = useContext(DrawingContext)
  const { line } = data!
  const name = branches.get(id)
  const isTaken = taken?.has(id)
  const { x, y } = line.middle
  return (
    <>
      <BaseEdge
        path={pathThrough(line.points)}
        style={{
          stroke: isTaken ? 'var(--good)' : 'var(--edge)',
          strokeWidth: isTaken ? 2.5 : 1.5,
          opacity: taken && !isTaken ? 0.6 : 1,
        }}
      />
      <EdgeLabelRenderer>
        <div
          className="nopan absolute flex items-center gap-1"
          style={{ transform: `translate(-50%, -50%) translate(${x}px, ${y}px)`, pointerEvents: 'all' }}
        >
          {name && (
            <span className="max-w-32 truncate rounded-full border border-line bg-ground px-2 py-0.5 text-xs text-quiet">
              {name}
            </span>
          )}
          {onAdd && !line.leadsNowhere && <Add at={line} />}
        </div>
      </EdgeLabelRenderer>
    </>
  )
}

function Add({ at: { stepId, port } }: { at: { stepId: string; port: Port } }) {
  const { onAdd, branches, names } = useContext(DrawingContext)
  const branch = branches.get(`${stepId}:${portKey(port)}`)
  return (
    <AddMenu
      label={t.workflows.addAfter(names.get(stepId) ?? '', branch)}
      onAdd={type => onAdd?.({ stepId, port }, type)}
    />
  )
}

/** A plus button that asks for the type of step. */
export function AddMenu({ label, onAdd }: { label: string; onAdd: (type: AddedType) => void }) {
  return (
    <Menu
      align="start"
      trigger={
        <button
          type="button"
          aria-label={label}
          title={label}
          className="nopan grid size-7 place-items-center rounded-full border border-edge bg-sheet text-quiet hover:border-ink hover:text-ink [&>svg]:size-4"
        >
          <Plus aria-hidden />
        </button>
      }
      entries={stepTypes.map(type => ({
        label: t.workflows.types[type],
        icon: <StepIcon type={type} isBare />,
        onSelect: () => onAdd(type),
      }))}
    />
  )
}

/** A path down from point to point, vertical at each of them. */
function pathThrough([first, ...rest]: FlowLine['points']): string {
  if (!first) return ''
  let from = first
  const bends = rest.map(to => {
    const half = (from.y + to.y) / 2
    const bend = `C${from.x},${half} ${to.x},${half} ${to.x},${to.y}`
    from = to
    return bend
  })
  return `M${first.x},${first.y} ${bends.join(' ')}`
}
