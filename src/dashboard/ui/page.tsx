// The frame of a page: its title, its purpose, and cards.
import { createContext, type ReactNode, useContext, useEffect } from 'react'
import { t } from '../texts'
import { Breakable } from './breakable'
import { classes } from './classes'

/** How far a page keeps from the edges of the window. */
export const pageEdges = 'mx-auto w-full px-4 py-6 md:px-8 md:py-8'

interface PageProps {
  title: string
  /** The name in the browser's tab, if that is not the title. */
  name?: string
  /** The state of the page's subject, shown beside the title. */
  state?: ReactNode
  /** Whether what is shown is stored, beside the title. */
  saved?: ReactNode
  /** What takes a change back, before the buttons. */
  history?: ReactNode
  description?: ReactNode
  /** Buttons; the strong one comes last. */
  actions?: ReactNode
  /** A link back, above the title. */
  above?: ReactNode
  /** As wide as the screen, for drawings. */
  wide?: boolean
  children: ReactNode
}

/** An address that is too long for its line breaks before the @. */
const beforeAt = /(?=@)/

/** What the pages of a section share, such as Contacts and Segments: the title above them, and the tabs from one to the other. */
export interface PageSection {
  title: string
  tabs: ReactNode
  /** Tabs stand beside the page if the window is wide enough. */
  isBeside?: boolean
}

/** Not for pages of a single thing, which have a way back instead of tabs. */
export const SectionContext = createContext<PageSection | undefined>(undefined)

export function Page(props: PageProps) {
  const { title, name = title, state, saved, history, description, actions, above, wide, children } = props
  const section = useContext(SectionContext)
  useTitle(section && section.title !== name ? `${name} · ${section.title}` : name)
  const frame = classes(pageEdges, wide ? 'max-w-[120rem]' : 'max-w-6xl')
  const hint = description && <p className="max-w-2xl text-pretty text-quiet">{description}</p>
  if (section?.isBeside)
    return (
      <div className={classes(frame, 'grid gap-x-8 gap-y-4 lg:grid-cols-[11rem_minmax(0,1fr)]')}>
        <div className="contents lg:block lg:space-y-2">
          <h1 className={titleClass}>{section.title}</h1>
          {section.tabs}
        </div>
        <div className="min-w-0 space-y-6">
          <header className={headerClass}>
            <div className="min-w-0 flex-1 basis-72 space-y-1">
              <h2 className="text-base leading-7 font-semibold">{title}</h2>
              {hint}
            </div>
            {actions && <div className="flex flex-wrap gap-2">{actions}</div>}
          </header>
          {children}
        </div>
      </div>
    )
  return (
    <div className={classes(frame, 'space-y-6')}>
      <header className={classes(headerClass, section && 'mb-3 min-h-9')}>
        <div className="min-w-0 flex-1 basis-72 space-y-1">
          {above && <div className="text-quiet">{above}</div>}
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <h1 className={titleClass}>
              <span>
                <Breakable text={section?.title ?? title} at={beforeAt} />
              </span>{' '}
              {state}
            </h1>
            {saved}
          </div>
          {!section && hint}
        </div>
        {(history || actions) && (
          <div className="flex flex-wrap gap-2">
            {history}
            {actions}
          </div>
        )}
      </header>
      {section?.tabs}
      {section && hint}
      {children}
    </div>
  )
}

const headerClass = 'flex flex-wrap items-start justify-between gap-x-6 gap-y-3'
const titleClass =
  'flex flex-wrap items-center gap-x-3 gap-y-1 text-xl font-semibold tracking-tight wrap-anywhere'

const barClass =
  'sticky top-0 z-20 flex h-14 items-center gap-3 border-b border-line bg-ground px-4 max-md:z-40 max-md:flex-wrap max-md:gap-y-0 md:px-8'
/** On phones: rows below the title, of which the last stays in view. */
const phoneRows = ['max-md:h-12', 'max-md:-top-12 max-md:h-26', 'max-md:-top-23 max-md:h-37']

interface BarPageProps extends Omit<PageProps, 'description' | 'wide'> {
  /** Between the title and the buttons. */
  middle?: ReactNode
}

/** A page on which one works for long: its head is one line, and stays in view. On a phone its buttons do. */
export function BarPage({
  title,
  name,
  state,
  saved,
  history,
  above,
  middle,
  actions,
  children,
}: BarPageProps) {
  useTitle(name ?? title)
  return (
    <div className="w-full">
      <header className={classes(barClass, phoneRows[saved ? 2 : actions ? 1 : 0])}>
        <div className="flex min-w-0 flex-1 items-center gap-3 max-md:contents">
          <div className="flex min-w-0 items-center gap-3 max-md:h-12 max-md:basis-full">
            {above && <div className="shrink-0 text-quiet">{above}</div>}
            <h1 className="min-w-0 truncate text-base font-semibold">{title}</h1>
            <span className="shrink-0">{state}</span>
          </div>
          {saved && (
            <div className="flex items-center max-md:h-11 max-md:min-w-0 max-md:grow max-md:basis-[calc(100%-7rem)] md:max-w-64 md:shrink-0">
              {saved}
            </div>
          )}
        </div>
        <div className="flex items-center md:hidden">{history}</div>
        {middle}
        <div className="flex flex-1 items-center justify-end gap-2">
          <span className="flex max-md:hidden">{history}</span>
          {actions}
        </div>
      </header>
      <div className="space-y-4 px-4 pt-4 md:px-8">{children}</div>
    </div>
  )
}

export function useTitle(name: string | undefined): void {
  useEffect(() => {
    document.title = name ? `${name} · ${t.words.appName}` : t.words.appName
  }, [name])
}

interface CardProps {
  title?: ReactNode
  description?: ReactNode
  actions?: ReactNode
  children?: ReactNode
  className?: string
  /** Its content reaches the edges, as for a table. */
  flush?: boolean
}

export function Card({ title, description, actions, children, className, flush }: CardProps) {
  return (
    <section className={classes('min-w-0 rounded-lg border border-line bg-sheet', className)}>
      {(title || actions) && (
        <header className="flex flex-wrap items-center justify-between gap-2 px-4 pt-3.5 pb-1 md:px-5">
          <div className={classes('min-w-0', description ? 'flex-1 basis-56' : '')}>
            <h2 className="font-semibold">{title}</h2>
            {description && <p className="text-pretty text-quiet">{description}</p>}
          </div>
          {actions}
        </header>
      )}
      <div className={flush ? 'pt-2' : 'px-4 pt-3 pb-4 md:px-5'}>{children}</div>
    </section>
  )
}

/** For a page with nothing to show yet: what would be here, and how to get it. */
export function Empty({ icon, title, children, action }: EmptyProps) {
  return (
    <div className="mx-auto flex max-w-sm flex-col items-center gap-2 px-4 py-14 text-center">
      {icon && <div className="mb-1 text-quiet [&>svg]:size-7 [&>svg]:stroke-[1.5]">{icon}</div>}
      <p className="font-semibold">{title}</p>
      {children && <div className="text-quiet">{children}</div>}
      {action && <div className="mt-3 flex gap-2">{action}</div>}
    </div>
  )
}

interface EmptyProps {
  icon?: ReactNode
  title: ReactNode
  children?: ReactNode
  action?: ReactNode
}
