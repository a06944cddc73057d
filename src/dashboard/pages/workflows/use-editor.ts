// The editor's dealings with the server: the one draft of the graph, what prevents storing it, and turning the workflow on and off.
import { useQueryClient } from '@tanstack/react-query'
import { useMemo, useRef, useState } from 'react'
import { answer, api } from '../../api/client'
import { ApiError } from '../../api/error'
import { read } from '../../api/queries'
import { renew } from '../../api/renew'
import type { Missing, Versioned } from '../../editor/draft-state'
import { type Graph, stepOf } from '../../editor/flow/graph'
import { layOut } from '../../editor/flow/layout'
import { type Drafted, useStoredDraft } from '../../editor/use-draft'
import { usePress } from '../../editor/use-press'
import { t } from '../../texts'
import type { Values } from '../../ui/form'
import {
  comparableGraph,
  draftName,
  graphOf,
  putGraph,
  type Whole,
  type WorkflowWarning,
  workflowQuery,
} from './data'
import { faultsByStep, type StepFaults, withoutFaulty } from './faults'

export type StoredWorkflow = Whole & Versioned

export interface Editor {
  draft: Drafted<Graph, StoredWorkflow>
  graph: Graph
  change: (graph: Graph, key?: string) => void
  /** By step, and then by field. Empty until the reader presses something that needs all of it, so that a step being filled in shows no errors. */
  faults: StepFaults
  /** Steps that are not stored, or that turning on would warn of. */
  faulty: ReadonlySet<string>
  warnings: readonly WorkflowWarning[]
  problem: unknown
  /** Stores what is shown, all of it; undefined if that is refused, and then the page says why. */
  store: () => Promise<StoredWorkflow | undefined>
  keepMine: () => Promise<StoredWorkflow | undefined>
  /** Leads to the first step that can't be stored. */
  toFaulty: () => void
  /** The warnings about turning on what is shown, which is stored then. */
  check: () => Promise<readonly WorkflowWarning[] | undefined>
  switchTo: (on: boolean) => Promise<void>
  /** The revision that a change of anything but the graph starts from, once no storing of the graph is under way. */
  settled: () => Promise<number>
  /** The server's answer to such a change. */
  took: (changed: Partial<Whole> & { revision: number }) => Promise<void>
}

/** `lead` shows a step. */
export function useEditor(workflow: Whole, lead: (stepId: string) => void): Editor {
  const { id } = workflow
  const queries = useQueryClient()
  const { queryKey } = workflowQuery(id)
  const stored = useMemo(() => versioned(workflow), [workflow])
  const [refusal, setRefusal] = useState<Refusal>()
  const [isAsked, setAsked] = useState(false)
  const [warnings, setWarnings] = useState<readonly WorkflowWarning[]>([])
  const load = async (): Promise<StoredWorkflow> => versioned(await read('/workflows/{id}', { path: { id } }))
  const remember = async (row: Whole): Promise<void> => {
    await renew(queries, queryKey, row)
    void queries.invalidateQueries({ queryKey: ['workflows', 'list'] })
  }
  const draft = useStoredDraft<Graph, StoredWorkflow>({
    name: draftName(id),
    stored,
    live: workflow.enabled,
    isLive: async () => (await load()).enabled,
    read: graphOf,
    saved: comparableGraph,
    async store(graph, { version, isPressed, leaving }) {
      const put = async (given: Graph): Promise<StoredWorkflow> => {
        const saved = await putGraph(id, given, { revision: version, positions: positionsOf(graph), leaving })
        setWarnings(saved.warnings)
        return versioned(saved)
      }
      setRefusal(undefined)
      const before = graphOf(queries.getQueryData<Whole>(queryKey) ?? workflow)
      /** What is refused is named, and the rest is stored all the same; a press stores all or nothing. */
      const storeWithout = async (known: StepFaults): Promise<Stored> => {
        try {
          const row = await put(withoutFaulty(graph, known, before))
          if (known.size === 0) setAsked(false)
          return { stored: row, missing: missingOf(graph, known) }
        } catch (problem) {
          const found = new Map([...known, ...faultsByStep(problem, graph)])
          if (found.size === known.size) throw problem
          setRefusal({ found, of: graph })
          if (!isPressed) return await storeWithout(found)
          setAsked(true)
          lead([...found.keys()][0]!)
          throw new StepsRefused(found.size)
        }
      }
      return await storeWithout(new Map())
    },
    load,
    remember,
  })
  const latest = useRef(draft)
  latest.current = draft
  const press = usePress(draft, nothingMissing, problem =>
    problem instanceof StepsRefused ? undefined : problem,
  )
  const graph = draft.value
  const refused = useMemo(() => standing(refusal, graph), [refusal, graph])
  const faulty = useMemo(
    () => new Set([...refused.keys(), ...warnings.flatMap(({ stepId }) => stepId ?? [])]),
    [refused, warnings],
  )
  const changes = useRef(0)
  const took = async (changed: Partial<Whole> & { revision: number }): Promise<void> => {
    const { version, raise } = latest.current
    // Another person has stored a change in between: read it first, so that the reader can keep or replace it.
    if (changed.revision > version + 1) return await queries.invalidateQueries({ queryKey })
    const row = { ...(queries.getQueryData<Whole>(queryKey) ?? workflow), ...changed }
    raise(versioned(row))
    await remember(row)
  }
  /** Reads what another person has stored, which is then shown unless something here is not stored yet. */
  const asConflict = async (problem: unknown): Promise<unknown> => {
    if (!(problem instanceof ApiError) || problem.status !== 409) return problem
    await queries.invalidateQueries({ queryKey })
    return new Error(t.workflows.conflict)
  }
  const settled = async (): Promise<number> => {
    const row = await draft.store()
    return row?.revision ?? latest.current.version
  }
  return {
    ...{ draft, graph, faulty, warnings, took, settled },
    faults: isAsked ? refused : noFaults,
    problem: press.problem,
    change: (next, key) => draft.change(() => next, key ?? `change ${changes.current++}`),
    store: press.store,
    keepMine: press.keepMine,
    toFaulty: () => {
      setAsked(true)
      const [first] = refused.keys()
      if (first) lead(first)
    },
    async check() {
      const row = await press.store()
      if (!row) return undefined
      try {
        // What is stored already is no change.
        const { warnings: found } = await putGraph(id, graphOf(row), { revision: row.revision })
        setWarnings(found)
        return found
      } catch (problem) {
        throw await asConflict(problem)
      }
    },
    async switchTo(on) {
      // What is turned on is what is shown; turning off is never refused.
      const body = { enabled: on, ...(on && { revision: latest.current.version }) }
      const request = api.PATCH('/workflows/{id}', { params: { path: { id } }, body })
      const { warnings: found, ...changed } = await answer(request).catch(async problem => {
        throw await asConflict(problem)
      })
      setWarnings(found)
      await took(changed as Whole)
    },
  }
}

/** Steps that say what is wrong with them. */
class StepsRefused extends Error {
  constructor(steps: number) {
    super(t.workflows.stepsRefused(steps))
  }
}

const versioned = <T extends { revision: number }>(row: T): T & Versioned => ({
  ...row,
  version: row.revision,
})

interface Stored {
  stored: StoredWorkflow
  missing: Missing
}

const noFaults: StepFaults = new Map()
const nothingMissing = (): Missing => ({})

interface Refusal {
  found: StepFaults
  of: Graph
}

/** The faults of steps that have not changed since. */
function standing(refusal: Refusal | undefined, graph: Graph): StepFaults {
  const faults = refusal ? [...refusal.found] : []
  const isSame = (id: string): boolean => stepOf(graph, id) === stepOf(refusal!.of, id)
  return new Map(faults.filter(([id]) => isSame(id)))
}

function missingOf(graph: Graph, found: StepFaults): Missing {
  const sayOne = ([id, faults]: [string, Values]): [string, string] => [
    id,
    `${stepOf(graph, id)?.name ?? ''}: ${Object.values(faults)[0] ?? ''}`,
  ]
  return Object.fromEntries([...found].map(sayOne))
}

/** Where the boxes are, for programs that read the graph by the API. */
function positionsOf(graph: Graph): Map<string, { x: number; y: number }> {
  return new Map(
    layOut(graph, true).boxes.map(({ id, x, y }) => [id, { x: Math.round(x), y: Math.round(y) }]),
  )
}
