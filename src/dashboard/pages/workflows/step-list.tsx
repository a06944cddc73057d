// The steps of a graph as a list: for whoever does not see the drawing, for phones, and for an overview.
import { type Graph, inOrder } from '../../editor/flow/graph'
import { StepIcon } from '../../editor/flow/icons'
import { Here, type StepMark } from '../../editor/flow/shapes'
import { t } from '../../texts'
import { Badge, type Tone } from '../../ui/badge'
import { classes } from '../../ui/classes'

interface StepListProps {
  graph: Graph
  /** Descriptions, shown below the names. */
  said: ReadonlyMap<string, string>
  chosen?: string
  onChoose: (stepId: string) => void
  faulty?: ReadonlySet<string>
  marks?: ReadonlyMap<string, StepMark>
  /** How many contacts are at a step now, formatted. */
  here?: ReadonlyMap<string, string>
}

const tones: Record<StepMark, Tone> = { done: 'good', failed: 'bad', waiting: 'warn', untouched: 'neutral' }

export function StepList({ graph, said, chosen, onChoose, faulty, marks, here }: StepListProps) {
  const steps = inOrder(graph).filter(({ id }) => !marks || (marks.get(id) ?? 'untouched') !== 'untouched')
  return (
    <ol className="-mx-2">
      {steps.map(({ id, type, name }) => {
        const mark = marks?.get(id)
        return (
          <li key={id}>
            <button
              type="button"
              aria-pressed={chosen === id}
              onClick={() => onChoose(id)}
              className={classes(
                'flex min-h-11 w-full items-center gap-3 rounded-md px-2 py-1.5 text-left hover:bg-hover',
                chosen === id && 'bg-hover',
              )}
            >
              <StepIcon type={type} />
              <span className="min-w-0 flex-1">
                <span className="block truncate font-medium">{name}</span>
                <span className="block truncate text-xs text-quiet">{said.get(id)}</span>
              </span>
              <Here runs={here?.get(id)} />
              {mark && <Badge tone={tones[mark]}>{t.workflows.marks[mark]}</Badge>}
              {faulty?.has(id) && <Badge tone="warn">{t.workflows.incomplete}</Badge>}
            </button>
          </li>
        )
      })}
    </ol>
  )
}
