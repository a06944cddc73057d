// The editor's dealings with the server: saving, what prevents it, turning on and off, and somebody else's changes.
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { answer, api } from '../../api/client'
import { ApiError } from '../../api/error'
import type { Graph } from '../../editor/flow/graph'
import { layOut } from '../../editor/flow/layout'
import { type Flow, useFlow } from '../../editor/flow/use-flow'
import { t } from '../../texts'
import type { Values } from '../../ui/form'
import { toast } from '../../ui/toast'
import { graphOf, putGraph, type Saved, type Warning, type Whole, workflowQuery } from './data'

export interface Editor extends Flow {
  busy: boolean
  /** By step, and then by field. */
  faults: ReadonlyMap<string, Values>
  warnings: readonly Warning[]
  error: unknown
  /** Whether somebody else has saved it while something here is not saved. */
  isBehind: boolean
  save: () => Promise<Warning[] | undefined>
  switchTo: (on: boolean) => Promise<void>
  /** The server's answer to a change of anything but the graph. */
  took: (changed: Partial<Whole> & { revision: number }) => void
  takeTheirs: () => void
  keepMine: () => void
}

export function useEditor(workflow: Whole): Editor {
  const { id } = workflow
  const queries = useQueryClient()
  const flow = useFlow(id, { revision: workflow.revision, graph: graphOf(workflow) })
  const [busy, setBusy] = useState(false)
  const [faults, setFaults] = useState<ReadonlyMap<string, Values>>(new Map())
  const [warnings, setWarnings] = useState<readonly Warning[]>([])
  const [error, setError] = useState<unknown>()
  const isOther = workflow.revision !== flow.revision
  const { rebase, isDirty, graph } = flow
  const takeTheirs = (): void => rebase({ revision: workflow.revision, graph: graphOf(workflow) }, true)
  // biome-ignore lint/correctness/useExhaustiveDependencies: when the server has something else, and nothing is lost by taking it.
  useEffect(() => {
    if (isOther && !isDirty && !busy) takeTheirs()
  }, [isOther, isDirty, busy])
  const keep = (whole: Partial<Whole> & { revision: number }, saved?: Graph): void => {
    queries.setQueryData(workflowQuery(id).queryKey, old => old && { ...old, ...whole })
    rebase({ revision: whole.revision, ...(saved ? { graph: saved } : {}) })
    void queries.invalidateQueries({ queryKey: ['workflows', 'list'] })
  }
  const refused = async (problem: unknown): Promise<void> => {
    const isConflict = problem instanceof ApiError && problem.status === 409
    if (isConflict) await queries.invalidateQueries({ queryKey: workflowQuery(id).queryKey })
    const found = faultsByStep(problem, graph)
    setFaults(found)
    setError(found.size > 0 || isConflict ? undefined : problem)
  }
  const save = async (): Promise<Warning[] | undefined> => {
    setBusy(true)
    try {
      const saved: Saved = await putGraph(id, { ...graph, revision: flow.revision }, positionsOf(graph))
      keep(saved, graph)
      setFaults(new Map())
      setError(undefined)
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
    ...{ busy, faults, warnings, error, save, takeTheirs, isBehind: isOther && isDirty && !busy },
    keepMine: () => rebase({ revision: workflow.revision, graph: graphOf(workflow) }),
    took: keep,
    switchTo: async on => {
      const params = { path: { id } }
      const { warnings: told, ...changed } = await answer(
        api.PATCH('/workflows/{id}', { params, body: { enabled: on } }),
      )
      setWarnings(told)
      keep(changed as Whole)
    },
  }
}

/** Where the boxes are, for whoever reads the graph by the API. */
function positionsOf(graph: Graph): Map<string, { x: number; y: number }> {
  return new Map(
    layOut(graph, true).boxes.map(({ id, x, y }) => [id, { x: Math.round(x), y: Math.round(y) }]),
  )
}

/**
 * `steps.3.config.amount` is the fault `config.amount` of the fourth step; a fault of a transition belongs to the step that it starts
 * from.
 */
function faultsByStep(problem: unknown, { steps, transitions }: Graph): Map<string, Values> {
  const found = new Map<string, Values>()
  const faults = problem instanceof ApiError ? (problem.about.faults ?? []) : []
  for (const { field, message } of faults) {
    const [kind, index, ...rest] = field.split('.')
    const id = kind === 'steps' ? steps[Number(index)]?.id : transitions[Number(index)]?.fromStepId
    if (id) found.set(id, { ...found.get(id), [rest.join('.')]: message })
  }
  if (found.size > 0) toast(t.workflows.notSaved(found.size))
  return found
}
