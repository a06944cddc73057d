// Where the boxes of a graph go: in layers from top to bottom, laid out by dagre with few crossing lines. Pure.
import { Graph as Layers, layout } from '@dagrejs/dagre'
import { edgeAt, type Graph, type Port, portKey, portsOf, type Step } from './graph'

export const boxWidth = 248
export const boxHeight = 62
const endSize = 32

export interface Box {
  id: string
  /** Of its top left corner. */
  x: number
  y: number
  step?: Step
  /** Set for an open end: a way on that leads nowhere yet. */
  end?: { stepId: string; port: Port }
}

export interface FlowLine {
  id: string
  from: string
  to: string
  stepId: string
  port: Port
  points: Array<{ x: number; y: number }>
  /** Where its label and its button are drawn. */
  middle: { x: number; y: number }
  leadsNowhere: boolean
}

interface LaidOut {
  boxes: Box[]
  lines: FlowLine[]
}

/** `withEnds` also draws ways on that lead nowhere yet, for adding steps there. */
export function layOut(graph: Graph, withEnds: boolean): LaidOut {
  const layers = new Layers({ directed: true, multigraph: true })
  layers.setGraph({ rankdir: 'TB', nodesep: 44, ranksep: 22, edgesep: 24 })
  for (const { id } of graph.steps) layers.setNode(id, { width: boxWidth, height: boxHeight })
  const edges = graph.steps.flatMap(step => portsOf(graph, step).map(port => edgeOf(graph, step, port)))
  const drawn = edges.filter(edge => withEnds || !edge.leadsNowhere)
  for (const { to, from, leadsNowhere, port } of drawn) {
    if (leadsNowhere) layers.setNode(to, { width: endSize, height: endSize })
    const isPlain = portKey(port) === ''
    const room = { width: isPlain ? 28 : 96, height: leadsNowhere && isPlain ? 4 : 30, labelpos: 'c' }
    layers.setEdge(from, to, room, nameOf(port))
  }
  layout(layers)
  const boxes = boxesOf(layers, graph, drawn)
  const byId = new Map(boxes.map(box => [box.id, box]))
  const lines = drawn.map(edge => lineOf(layers, edge, byId))
  return isMirrored(lines) ? mirrored(boxes, lines) : { boxes, lines }
}

/** The first of several ways belongs on the left; dagre considers only how lines cross. */
function isMirrored(lines: FlowLine[]): boolean {
  const turns = [...Map.groupBy(lines, ({ stepId }) => stepId).values()].filter(edges => edges.length > 1)
  const wrong = turns.filter(edges => edges[0]!.middle.x > edges.at(-1)!.middle.x)
  return wrong.length * 2 > turns.length
}

function mirrored(boxes: Box[], lines: FlowLine[]): LaidOut {
  const mirror = <P extends { x: number; y: number }>(point: P): P => ({ ...point, x: -point.x })
  return {
    boxes: boxes.map(box => ({ ...box, x: -box.x - sizeOf(box).width })),
    lines: lines.map(line => ({ ...line, points: line.points.map(mirror), middle: mirror(line.middle) })),
  }
}

function sizeOf({ step }: Box): { width: number; height: number } {
  return step ? { width: boxWidth, height: boxHeight } : { width: endSize, height: endSize }
}

/** dagre would take an empty name for none. */
const nameOf = (port: Port): string => portKey(port) || 'next'

type FlowEdge = Pick<FlowLine, 'from' | 'to' | 'stepId' | 'port' | 'leadsNowhere'>

function edgeOf(graph: Graph, { id }: Step, port: Port): FlowEdge {
  const target = edgeAt(graph, id, port)?.toStepId
  const end = `${id}:${portKey(port)}`
  return { from: id, to: target ?? end, stepId: id, port, leadsNowhere: target === undefined }
}

function boxesOf(layers: Layers, { steps }: Graph, edges: FlowEdge[]): Box[] {
  const boxAt = (id: string) => {
    const { x, y, width, height } = layers.node(id)
    return { id, x: x! - width / 2, y: y! - height / 2 }
  }
  const ends = edges.filter(edge => edge.leadsNowhere)
  return [
    ...steps.map(step => ({ ...boxAt(step.id), step })),
    ...ends.map(({ to, stepId, port }) => ({ ...boxAt(to), end: { stepId, port } })),
  ]
}

/** From the middle of one box to the middle of the other, along the way that dagre left free. */
function lineOf(layers: Layers, edge: FlowEdge, boxes: ReadonlyMap<string, Box>): FlowLine {
  const { points = [], x = 0, y = 0 } = layers.edge(edge.from, edge.to, nameOf(edge.port)) ?? {}
  const [from, to] = [boxes.get(edge.from)!, boxes.get(edge.to)!]
  const start = { x: from.x + sizeOf(from).width / 2, y: from.y + sizeOf(from).height }
  const end = { x: to.x + sizeOf(to).width / 2, y: to.y }
  const id = `${edge.stepId}:${portKey(edge.port)}`
  return { ...edge, id, points: [start, ...points.slice(1, -1), end], middle: { x, y } }
}
