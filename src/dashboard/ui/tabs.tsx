// Tabs: links to parts of a page that have their own addresses, and tabs that only switch what is shown below.
import { createLink, useLocation } from '@tanstack/react-router'
import {
  Children,
  type ComponentProps,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useId,
  useRef,
} from 'react'
import { classes } from './classes'

/** On phones it fades out where it continues, and the last tab can be scrolled clear of that. */
const barClass =
  'flex gap-5 overflow-x-auto border-b border-line max-md:scroll-pr-8 max-md:pr-8 max-md:[mask-image:linear-gradient(to_right,black_calc(100%-2rem),transparent)]'
/** Beside the page, if the window is wide enough: a list under headings. */
const besideClass =
  'lg:sticky lg:top-8 lg:flex-col lg:gap-0.5 lg:self-start lg:overflow-visible lg:border-b-0 lg:-mx-2'
const tabClass =
  '-mb-px max-md:min-h-11 inline-flex items-center whitespace-nowrap border-b-2 border-transparent py-2 font-medium text-quiet hover:text-ink aria-selected:border-ink aria-selected:text-ink data-[status=active]:border-ink data-[status=active]:text-ink'

const tabBesideClass =
  'lg:in-data-beside:mb-0 lg:in-data-beside:min-h-8 lg:in-data-beside:rounded-md lg:in-data-beside:border-b-0 lg:in-data-beside:px-2 lg:in-data-beside:py-0 lg:in-data-beside:font-normal lg:in-data-beside:hover:bg-hover lg:in-data-beside:data-[status=active]:bg-hover lg:in-data-beside:data-[status=active]:font-medium'

interface TabBarProps {
  label: string
  isBeside?: boolean
  children: ReactNode
}

/** Parts of a page with an address each: put `TabLink`s in. */
export function TabBar({ label, isBeside, children }: TabBarProps) {
  const bar = useRef<HTMLElement>(null)
  const address = useLocation({ select: ({ href }) => href })
  // If they do not all fit, the active one must not be out of sight. Only the bar scrolls, and never the page.
  const count = Children.toArray(children).length
  // biome-ignore lint/correctness/useExhaustiveDependencies: which one is active, and where it is, depends on the address and the others.
  useEffect(() => {
    const active = bar.current?.querySelector<HTMLElement>('[data-status=active]')
    if (bar.current && active) bar.current.scrollLeft = scrollOf(bar.current, active)
  }, [address, count])
  return (
    <nav
      ref={bar}
      aria-label={label}
      data-beside={isBeside || undefined}
      className={classes(barClass, isBeside && besideClass)}
    >
      {children}
    </nav>
  )
}

/** Above the tabs that follow it, where they stand beside the page. */
export function TabGroup({ children }: { children: ReactNode }) {
  return <p className="px-2 pt-4 pb-1 text-xs text-quiet first:pt-1 max-lg:hidden">{children}</p>
}

/** How far the bar has to be scrolled so that the tab is in sight. */
function scrollOf(bar: HTMLElement, tab: HTMLElement): number {
  const [from, to] = [bar.getBoundingClientRect(), tab.getBoundingClientRect()]
  if (to.left < from.left) return bar.scrollLeft + to.left - from.left
  return bar.scrollLeft + Math.max(to.right - from.right + fade(bar), 0)
}

/** The edge at which a bar on a phone fades out. */
const fade = (bar: HTMLElement): number => Number.parseFloat(getComputedStyle(bar).scrollPaddingRight) || 0

function Anchor({ className, ...rest }: ComponentProps<'a'>) {
  return <a className={classes(tabClass, tabBesideClass, className)} {...rest} />
}

export const TabLink = createLink(Anchor)

interface TabsProps<Name extends string> {
  label: string
  tabs: ReadonlyArray<{ name: Name; label: ReactNode }>
  value: Name
  onChange: (name: Name) => void
  children: ReactNode
}

/** Tabs without addresses. Arrow keys move from one to the next. */
export function Tabs<Name extends string>({ label, tabs, value, onChange, children }: TabsProps<Name>) {
  const id = useId()
  const move = (event: KeyboardEvent<HTMLDivElement>): void => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (!step) return
    const at = tabs.findIndex(tab => tab.name === value)
    const next = tabs[(at + step + tabs.length) % tabs.length]!
    onChange(next.name)
    document.getElementById(`${id}-${next.name}`)?.focus()
  }
  return (
    <div>
      <div role="tablist" aria-label={label} className={barClass} onKeyDown={move}>
        {tabs.map(tab => (
          <button
            key={tab.name}
            id={`${id}-${tab.name}`}
            type="button"
            role="tab"
            aria-selected={tab.name === value}
            aria-controls={`${id}-panel`}
            tabIndex={tab.name === value ? 0 : -1}
            className={tabClass}
            onClick={() => onChange(tab.name)}
          >
            {tab.label}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${value}`} className="pt-4">
        {children}
      </div>
    </div>
  )
}
