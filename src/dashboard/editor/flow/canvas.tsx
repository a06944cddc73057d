// The graph of a workflow, laid out automatically from top to bottom. It is panned and zoomed by hand, wheel and buttons; boxes can't be
// moved, so that it is always tidy. Loaded when a page shows one.
import { Background, Panel, ReactFlow, ReactFlowProvider, useReactFlow } from '@xyflow/react'
import { Maximize, ZoomIn, ZoomOut } from 'lucide-react'
import { useEffect, useMemo } from 'react'
import { t } from '../../texts'
import { IconButton } from '../../ui/button'
import type { Graph } from './graph'
import { type Box, boxWidth, type FlowLine, layOut } from './layout'
import { type Drawing, DrawingContext, EdgeShape, EndShape, StepShape } from './shapes'

const nodeTypes = { step: StepShape, end: EndShape }
const edgeTypes = { branch: EdgeShape }
const fit = { padding: 0.12, maxZoom: 1, minZoom: 0.6 }

interface CanvasProps extends Drawing {
  graph: Graph
  /** Read aloud. */
  label: string
  className?: string
}

export default function Canvas({ graph, label, className, ...drawing }: CanvasProps) {
  const withEnds = drawing.onAdd !== undefined
  const { boxes, lines } = useMemo(() => layOut(graph, withEnds), [graph, withEnds])
  const nodes = useMemo(() => boxes.map(nodeOf), [boxes])
  const edges = useMemo(() => lines.map(edgeOf), [lines])
  const names = useMemo(() => new Map(graph.steps.map(({ id, name }) => [id, name])), [graph])
  return (
    <ReactFlowProvider>
      <DrawingContext value={{ ...drawing, names }}>
        <section aria-label={label} className={className}>
          <ReactFlow
            nodes={nodes}
            edges={edges}
            nodeTypes={nodeTypes}
            edgeTypes={edgeTypes}
            nodesDraggable={false}
            nodesConnectable={false}
            nodesFocusable={false}
            edgesFocusable={false}
            elementsSelectable={false}
            disableKeyboardA11y
            panOnScroll
            zoomOnDoubleClick={false}
            minZoom={0.2}
            maxZoom={1.5}
            proOptions={{ hideAttribution: true }}
          >
            <Background gap={20} size={1} color="var(--edge)" />
            <Panel position="bottom-left" className="m-2!">
              <Buttons />
            </Panel>
            <Keeper boxes={boxes} chosen={drawing.chosen} />
          </ReactFlow>
        </section>
      </DrawingContext>
    </ReactFlowProvider>
  )
}

function nodeOf(box: Box) {
  const { id, x, y, step } = box
  return {
    id,
    type: step ? ('step' as const) : ('end' as const),
    position: { x, y },
    data: { box },
    style: { pointerEvents: 'all' as const },
  }
}

function edgeOf(line: FlowLine) {
  return { id: line.id, source: line.from, target: line.to, type: 'way' as const, data: { line } }
}

/** Shows the beginning at first, and then whatever is selected. */
function Keeper({ boxes, chosen }: { boxes: Box[]; chosen?: string }) {
  const flow = useReactFlow()
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is drawn first is what is fitted.
  useEffect(() => {
    const first = boxes.find(({ step }) => step?.type === 'TRIGGER') ?? boxes[0]
    const bounds = document.querySelector('.react-flow')?.getBoundingClientRect()
    if (!first || !bounds) return
    // The open ends are narrower than steps, and below them.
    const places = boxes.filter(({ step }) => step).map(({ x }) => x)
    const [left, right] = [Math.min(...places), Math.max(...places) + boxWidth]
    const zoom = Math.min(1, Math.max(0.7, (bounds.width - 48) / (right - left)))
    const middle = (right - left) * zoom < bounds.width ? (left + right) / 2 : first.x + boxWidth / 2
    void flow.setViewport({ x: bounds.width / 2 - middle * zoom, y: 24 - first.y * zoom, zoom })
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: moves when another one is chosen, not with every change of the graph.
  useEffect(() => {
    const box = boxes.find(({ id }) => id === chosen)
    const bounds = document.querySelector('.react-flow')?.getBoundingClientRect()
    if (!box || !bounds) return
    const { x, y } = flow.flowToScreenPosition({ x: box.x, y: box.y })
    const isInside =
      x > bounds.left && x < bounds.right - boxWidth && y > bounds.top && y < bounds.bottom - 80
    if (!isInside) void flow.setCenter(box.x + boxWidth / 2, box.y + 60, { zoom: flow.getZoom() })
  }, [chosen])
  return null
}

function Buttons() {
  const flow = useReactFlow()
  return (
    <div className="flex rounded-lg border border-line bg-sheet">
      <IconButton label={t.workflows.zoomIn} onClick={() => flow.zoomIn()}>
        <ZoomIn aria-hidden />
      </IconButton>
      <IconButton label={t.workflows.zoomOut} onClick={() => flow.zoomOut()}>
        <ZoomOut aria-hidden />
      </IconButton>
      <IconButton label={t.workflows.showAll} onClick={() => flow.fitView(fit)}>
        <Maximize aria-hidden />
      </IconButton>
    </div>
  )
}
