// Where the boxes of a graph stand: in layers from above, laid out by dagre so that lines cross little. Pure.
import { Graph as Layers, layout } from '@dagrejs/dagre'
import { edgeAt, type Graph, type Outlet, outletKey, outletsOf, type Step } from './graph'

export const boxWidth = 248
export const boxHeight = 62
const endSize = 32

export interface Box {
  id: string
  /** Of its upper left corner. */
  x: number
  y: number
  step?: Step
  /** An open end: the way on that leads nowhere yet. */
  end?: { stepId: string; outlet: Outlet }
}

export interface Line {
  id: string
  from: string
  to: string
  stepId: string
  outlet: Outlet
  points: Array<{ x: number; y: number }>
  /** Where its name and its button stand. */
  middle: { x: number; y: number }
  leadsNowhere: boolean
}

interface LaidOut {
  boxes: Box[]
  lines: Line[]
}

/** `withEnds` draws ways on that lead nowhere yet, to add steps there. */
export function layOut(graph: Graph, withEnds: boolean): LaidOut {
  const layers = new Layers({ directed: true, multigraph: true })
  layers.setGraph({ rankdir: 'TB', nodesep: 44, ranksep: 22, edgesep: 24 })
  for (const { id } of graph.steps) layers.setNode(id, { width: boxWidth, height: boxHeight })
  const ways = graph.steps.flatMap(step => outletsOf(graph, step).map(outlet => wayOf(graph, step, outlet)))
  const drawn = ways.filter(way => withEnds || !way.leadsNowhere)
  for (const { to, from, leadsNowhere, outlet } of drawn) {
    if (leadsNowhere) layers.setNode(to, { width: endSize, height: endSize })
    const isPlain = outletKey(outlet) === ''
    const room = { width: isPlain ? 28 : 96, height: leadsNowhere && isPlain ? 4 : 30, labelpos: 'c' }
    layers.setEdge(from, to, room, outletKey(outlet))
  }
  layout(layers)
  return { boxes: boxesOf(layers, graph, drawn), lines: drawn.map(way => lineOf(layers, way)) }
}

type Way = Pick<Line, 'from' | 'to' | 'stepId' | 'outlet' | 'leadsNowhere'>

function wayOf(graph: Graph, { id }: Step, outlet: Outlet): Way {
  const target = edgeAt(graph, id, outlet)?.toStepId
  const end = `${id}:${outletKey(outlet)}`
  return { from: id, to: target ?? end, stepId: id, outlet, leadsNowhere: target === undefined }
}

function boxesOf(layers: Layers, { steps }: Graph, ways: Way[]): Box[] {
  const place = (id: string) => {
    const { x, y, width, height } = layers.node(id)
    return { id, x: x! - width / 2, y: y! - height / 2 }
  }
  const ends = ways.filter(way => way.leadsNowhere)
  return [
    ...steps.map(step => ({ ...place(step.id), step })),
    ...ends.map(({ to, stepId, outlet }) => ({ ...place(to), end: { stepId, outlet } })),
  ]
}

function lineOf(layers: Layers, way: Way): Line {
  const { points = [], x = 0, y = 0 } = layers.edge(way.from, way.to, outletKey(way.outlet)) ?? {}
  return { ...way, id: `${way.stepId}:${outletKey(way.outlet)}`, points, middle: { x, y } }
}
