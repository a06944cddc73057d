// Tabs: links to parts of a page that have their own addresses, and tabs that only switch what is shown below.
import { createLink } from '@tanstack/react-router'
import { type ComponentProps, type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from 'react'
import { classes } from './classes'

/** On phones it fades out where it continues, and the last tab can be scrolled clear of that. */
const barClass =
  'flex gap-5 overflow-x-auto border-b border-line max-md:scroll-pr-8 max-md:pr-8 max-md:[mask-image:linear-gradient(to_right,black_calc(100%-2rem),transparent)]'
const tabClass =
  '-mb-px max-md:min-h-11 inline-flex items-center whitespace-nowrap border-b-2 border-transparent py-2 font-medium text-quiet hover:text-ink aria-selected:border-ink aria-selected:text-ink data-[status=active]:border-ink data-[status=active]:text-ink'

/** Parts of a page with an address each: put `TabLink`s in. */
export function TabBar({ label, children }: { label: string; children: ReactNode }) {
  const bar = useRef<HTMLElement>(null)
  // If they do not all fit, the active one must not be out of sight. Which one that is may only be known later.
  useEffect(() => {
    bar.current
      ?.querySelector('[data-status=active]')
      ?.scrollIntoView({ inline: 'nearest', block: 'nearest' })
  })
  return (
    <nav ref={bar} aria-label={label} className={barClass}>
      {children}
    </nav>
  )
}

function Anchor({ className, ...rest }: ComponentProps<'a'>) {
  return <a className={classes(tabClass, className)} {...rest} />
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
