// Lines over days. Loaded when a page shows one; its figures are in a table as well, for whoever can't see it.
import { useEffect, useRef, useState } from 'react'
import uPlot from 'uplot'
import { formatCompact, formatDate, formatDay, formatNumber, formatTime } from './format'

export interface Series {
  label: string
  /** One of the style sheet's names, such as `accent`. */
  color: string
  values: number[]
  /** Drawn thin and dashed: the previous span, or what matters less. */
  faint?: boolean
}

interface ChartProps {
  label: string
  /** Moments in milliseconds, ascending. */
  at: number[]
  series: Series[]
  height?: number
}

export default function Chart({ label, at, series, height = 240 }: ChartProps) {
  const box = useRef<HTMLDivElement>(null)
  const looks = useLooks()
  const [pointed, setPointed] = useState<number>()
  useEffect(() => {
    const { current } = box
    if (!current) return
    const plot = new uPlot(
      {
        ...optionsOf(series, looks),
        width: current.clientWidth,
        height,
        hooks: { setCursor: [({ cursor }) => setPointed(cursor.idx ?? undefined)] },
      },
      [at.map(moment => moment / 1000), ...series.map(each => each.values)],
      current,
    )
    const observer = new ResizeObserver(() => plot.setSize({ width: current.clientWidth, height }))
    observer.observe(current)
    return () => {
      observer.disconnect()
      plot.destroy()
    }
  }, [at, series, height, looks])
  return (
    <figure aria-label={label} className="relative space-y-2 overflow-hidden">
      <Legend series={series} at={at} pointed={pointed} />
      <div ref={box} aria-hidden style={{ height }} />
      <Figures at={at} series={series} label={label} />
    </figure>
  )
}

/** Changes when colours do, so that the chart is drawn anew. */
function useLooks(): number {
  const [looks, setLooks] = useState(0)
  useEffect(() => {
    const change = (): void => setLooks(count => count + 1)
    const system = matchMedia('(prefers-color-scheme: dark)')
    system.addEventListener('change', change)
    addEventListener('themechange', change)
    return () => {
      system.removeEventListener('change', change)
      removeEventListener('themechange', change)
    }
  }, [])
  return looks
}

/** A canvas does not support CSS variables: the browser is asked for their current values. */
function colorOf(name: string): string {
  const probe = document.createElement('i')
  probe.style.color = `var(--${name})`
  document.body.append(probe)
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}

function optionsOf(series: Series[], _looks: number): Omit<uPlot.Options, 'width' | 'height'> {
  const axis = { stroke: colorOf('quiet'), font: '11px system-ui', ticks: { show: false } }
  return {
    legend: { show: false },
    padding: [8, 18, 0, 0],
    cursor: { y: false, points: { size: 7 }, drag: { x: false, y: false } },
    scales: { y: { range: (_plot, _low, high) => [0, Math.max(high * 1.1, 4)] } },
    axes: [
      {
        ...axis,
        grid: { show: false },
        values: (_plot, moments, _axis, _space, step) => momentNames(moments, step),
        space: 70,
        size: 26,
      },
      {
        ...axis,
        grid: { stroke: colorOf('line'), width: 1 },
        values: (_plot, values) => values.map(formatCompact),
        size: 44,
      },
    ],
    series: [
      {},
      ...series.map(({ label, color, faint }) => ({
        label,
        stroke: colorOf(color),
        width: faint ? 1 : 2,
        ...(faint ? { dash: [4, 4] } : {}),
        points: { show: false },
      })),
    ],
  }
}

/** Days; where several moments of one day are marked, their time, and the day where it begins. */
function momentNames(seconds: number[], step: number): string[] {
  const days = seconds.map(second => formatDay(second * 1000))
  return days.map((day, index) =>
    step >= 86_400 || day !== days[index - 1] ? day : formatTime(seconds[index]! * 1000),
  )
}

function Legend({ series, at, pointed }: { series: Series[]; at: number[]; pointed?: number }) {
  return (
    <figcaption className="flex min-h-5 flex-wrap gap-x-4 gap-y-1 text-xs text-quiet">
      {series.map(({ label, color, values, faint }) => (
        <span key={label} className="inline-flex items-center gap-1.5 tabular-nums">
          <i
            className="inline-block w-3.5 border-t-2"
            style={{ borderColor: `var(--${color})`, borderStyle: faint ? 'dashed' : 'solid' }}
          />
          {label}
          {pointed !== undefined && <b className="text-ink">{formatNumber(values[pointed] ?? 0)}</b>}
        </span>
      ))}
      {pointed !== undefined && <span className="ml-auto">{formatDate(at[pointed] ?? 0)}</span>}
    </figcaption>
  )
}

function Figures({ at, series, label }: { at: number[]; series: Series[]; label: string }) {
  return (
    <div className="sr-only">
      <table>
        <caption>{label}</caption>
        <tbody>
          {series.map(each => (
            <tr key={each.label}>
              <th scope="row">{each.label}</th>
              {each.values.map((value, index) => (
                <td key={at[index]}>
                  {formatDate(at[index] ?? 0)}: {formatNumber(value)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
