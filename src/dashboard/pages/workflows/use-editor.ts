// The editor's dealings with the server: saving, what prevents it, turning on and off, and somebody else's changes.
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import { answer, api } from '../../api/client'
import { ApiError } from '../../api/error'
import { type Graph, stepOf } from '../../editor/flow/graph'
import { layOut } from '../../editor/flow/layout'
import { type Flow, useFlow } from '../../editor/flow/use-flow'
import { t } from '../../texts'
import type { Values } from '../../ui/form'
import { toast } from '../../ui/toast'
import { graphOf, putGraph, type Saved, type Whole, type WorkflowWarning, workflowQuery } from './data'

export interface Editor extends Flow {
  busy: boolean
  /** By step, and then by field. */
  faults: ReadonlyMap<string, Values>
  warnings: readonly WorkflowWarning[]
  error: unknown
  /** Whether somebody else has saved it while something here is not saved. */
  isBehind: boolean
  save: () => Promise<WorkflowWarning[] | undefined>
  switchTo: (on: boolean) => Promise<void>
  /** The server's answer to a change of anything but the graph. */
  took: (changed: Partial<Whole> & { revision: number }) => void
  takeTheirs: () => void
  keepMine: () => void
}

export function useEditor(workflow: Whole): Editor {
  const { id } = workflow
  const queries = useQueryClient()
  const read = { revision: workflow.revision, graph: graphOf(workflow) }
  const flow = useFlow(id, read)
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<Refusal>()
  const [warnings, setWarnings] = useState<readonly WorkflowWarning[]>([])
  const { rebase, isDirty, graph } = flow
  // What turning on does after saving runs in a function of the page as it was before.
  const revision = useRef(flow.revision)
  revision.current = Math.max(revision.current, flow.revision)
  // The cache may be older than what was saved here a moment ago; only what is newer is somebody else's.
  const isOther = workflow.revision > flow.revision
  const clear = (): void => setRefusal(undefined)
  const faults = useMemo(() => standing(refusal, graph), [refusal, graph])
  const takeTheirs = (): void => {
    clear()
    rebase(read, true)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: when the server has something else, and nothing is lost by taking it.
  useEffect(() => {
    if (isOther && !isDirty && !busy) takeTheirs()
  }, [isOther, isDirty, busy])
  const readAgain = () => queries.invalidateQueries({ queryKey: workflowQuery(id).queryKey })
  const keep = (whole: Partial<Whole> & { revision: number }): void => {
    queries.setQueryData(workflowQuery(id).queryKey, old => old && { ...old, ...whole })
    revision.current = whole.revision
    void queries.invalidateQueries({ queryKey: ['workflows', 'list'] })
  }
  const took = (whole: Partial<Whole> & { revision: number }): void => {
    // Somebody else has changed it in between: what they did has to be read before it can be kept or replaced.
    if (whole.revision > revision.current + 1) return void readAgain()
    keep(whole)
    rebase({ revision: whole.revision })
  }
  const refused = async (problem: unknown): Promise<void> => {
    if (isConflict(problem)) {
      await readAgain()
      // With nothing to lose, theirs is taken, and this is all that tells of it.
      if (!isDirty) return toast(t.workflows.conflict)
    }
    const { found, isWhole } = faultsByStep(problem, graph)
    setRefusal({ faults: found, rest: isWhole ? undefined : problem, of: graph })
  }
  const save = async (): Promise<WorkflowWarning[] | undefined> => {
    setBusy(true)
    try {
      const saved: Saved = await putGraph(id, { ...graph, revision: flow.revision }, positionsOf(graph))
      keep(saved)
      flow.saved({ revision: saved.revision, graph: graphOf(saved) }, graph)
      clear()
      setWarnings(saved.warnings)
      return saved.warnings
    } catch (problem) {
      await refused(problem)
      return undefined
    } finally {
      setBusy(false)
    }
  }
  return {
    ...flow,
    error: refusal?.of === graph ? refusal.rest : undefined,
    ...{ busy, faults, warnings, save, takeTheirs, took, isBehind: isOther && isDirty && !busy },
    keepMine: () => {
      clear()
      rebase(read)
    },
    switchTo: async on => {
      const params = { path: { id } }
      // What is turned on is what is shown; turning off is never refused.
      const body = { enabled: on, ...(on && { revision: revision.current }) }
      const { warnings: newWarnings, ...changed } = await answer(
        api.PATCH('/workflows/{id}', { params, body }),
      ).catch(problem => {
        if (isConflict(problem)) void readAgain()
        throw problem
      })
      setWarnings(newWarnings)
      took(changed as Whole)
    },
  }
}

/** What was refused when a graph was to be saved. */
interface Refusal {
  faults: ReadonlyMap<string, Values>
  /** What belongs to no step. */
  rest: unknown
  of: Graph
}

/** The faults of steps that have not changed since. */
function standing(refusal: Refusal | undefined, graph: Graph): ReadonlyMap<string, Values> {
  const faults = refusal ? [...refusal.faults] : []
  const isSame = (id: string): boolean => stepOf(graph, id) === stepOf(refusal!.of, id)
  return new Map(faults.filter(([id]) => isSame(id)))
}

function isConflict(problem: unknown): boolean {
  return problem instanceof ApiError && problem.status === 409
}

/** Where the boxes are, for whoever reads the graph by the API. */
function positionsOf(graph: Graph): Map<string, { x: number; y: number }> {
  return new Map(
    layOut(graph, true).boxes.map(({ id, x, y }) => [id, { x: Math.round(x), y: Math.round(y) }]),
  )
}

/**
 * `steps.3.config.amount` is the fault `config.amount` of the fourth step; a fault of a transition belongs to the step that it starts
 * from. `isWhole` where nothing of the problem is left to be said elsewhere.
 */
function faultsByStep(
  problem: unknown,
  { steps, transitions }: Graph,
): { found: Map<string, Values>; isWhole: boolean } {
  const found = new Map<string, Values>()
  const faults = problem instanceof ApiError ? (problem.about.faults ?? []) : []
  let isWhole = faults.length > 0
  for (const { field, message } of faults) {
    const [kind, index, ...rest] = field.split('.')
    const id = kind === 'steps' ? steps[Number(index)]?.id : transitions[Number(index)]?.fromStepId
    if (id) found.set(id, { ...found.get(id), [rest.join('.')]: message })
    else isWhole = false
  }
  if (found.size > 0) toast(t.workflows.notSaved(found.size))
  return { found, isWhole }
}
