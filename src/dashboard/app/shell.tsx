// The frame of every page of a project: navigation at the side, or behind a button on phones.
import { Outlet, useRouterState } from '@tanstack/react-router'
import { Menu, Search } from 'lucide-react'
import { Fragment, lazy, Suspense, useEffect, useRef, useState } from 'react'
import { t } from '../texts'
import { IconButton } from '../ui/button'
import { whenIdle } from '../ui/idle'
import { type PageSection, SectionContext } from '../ui/page'
import { TabBar, TabGroup, TabLink } from '../ui/tabs'
import { TurnedAway } from './failures'
import { BrandMark } from './mark'
import { useNavigation, usePlace } from './navigation'
import { useProject } from './session'
import { Sidebar } from './sidebar'

const loadPalette = () => import('./palette')
const Palette = lazy(loadPalette)
const Shortcuts = lazy(() => import('./shortcuts'))
const Drawer = lazy(() => import('./drawer'))

export function Shell() {
  const [palette, setPalette] = useState<'closed' | 'loading' | 'open'>('closed')
  const [help, setHelp] = useState(false)
  const typed = useRef('')
  const search = (): void => {
    typed.current = ''
    setPalette('loading')
  }
  const close = (): void => setPalette('closed')
  useShortcuts({
    palette: palette === 'closed' ? search : close,
    help: () => setHelp(true),
  })
  // It must be ready when somebody types right away.
  useEffect(() => void whenIdle().then(loadPalette), [])
  return (
    <div className="md:grid md:grid-cols-[13rem_minmax(0,1fr)]">
      <a
        href="#content"
        className="sr-only z-60 rounded-md bg-strong px-4 py-2 text-on-strong focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
      >
        {t.words.skipToContent}
      </a>
      <div className="sticky top-0 hidden h-dvh border-r border-line md:block">
        <Sidebar onSearch={search} />
      </div>
      <PhoneBar onSearch={search} />
      <main id="content" tabIndex={-1} className="min-w-0 outline-none">
        <Content />
      </main>
      {help && (
        <Suspense>
          <Shortcuts onClose={() => setHelp(false)} />
        </Suspense>
      )}
      {palette === 'loading' && <TypedAhead into={typed} />}
      {palette !== 'closed' && (
        <Suspense>
          <Palette typed={typed} onReady={() => setPalette('open')} onClose={close} />
        </Suspense>
      )}
    </div>
  )
}

/** Takes what is typed until the palette has a field of its own: every letter is in one of the two. */
function TypedAhead({ into }: { into: { current: string } }) {
  return (
    <input
      // biome-ignore lint/a11y/noAutofocus: somebody has asked for it by a key, to type.
      autoFocus
      aria-label={t.navigation.palette}
      className="fixed inset-x-3 top-[10dvh] z-50 mx-auto h-12 max-w-xl rounded-lg border border-line bg-raised px-4 text-base shadow-pop outline-none"
      onChange={event => {
        into.current = event.target.value
      }}
    />
  )
}

/** A project may turn its members away; their account and the instance are no part of it. */
function Content() {
  const { name, secondFactorMissing } = useProject()
  const path = useRouterState({ select: state => state.location.pathname })
  const section = useSection()
  const isElsewhere = path.endsWith('/account') || path.endsWith('/instance')
  return secondFactorMissing && !isElsewhere ? (
    <TurnedAway project={name} />
  ) : (
    <SectionContext value={section}>
      <Outlet />
    </SectionContext>
  )
}

/** The title and the tabs that the pages of a section share. */
function useSection(): PageSection | undefined {
  const { section, tab } = usePlace(useNavigation())
  if (!section || !tab) return undefined
  const { label: title, tabs, isBeside } = section
  return {
    title,
    isBeside,
    tabs: (
      <TabBar label={title} isBeside={isBeside}>
        {tabs.map(({ to, label, group }) => (
          <Fragment key={to}>
            {group && <TabGroup>{group}</TabGroup>}
            <TabLink to={to} activeOptions={{ exact: true, includeSearch: false }}>
              {label}
            </TabLink>
          </Fragment>
        ))}
      </TabBar>
    ),
  }
}

/** ⌘K or Ctrl+K, and the question mark outside text fields. */
function useShortcuts({ palette, help }: { palette: () => void; help: () => void }): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      if (event.key === 'k' && (event.metaKey || event.ctrlKey)) palette()
      else if (event.key === '?' && !isWriting(event.target)) help()
      else return
      event.preventDefault()
    }
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  })
}

function isWriting(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  )
}

function PhoneBar({ onSearch }: { onSearch: () => void }) {
  const [open, setOpen] = useState(false)
  const path = useRouterState({ select: state => state.location.pathname })
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever another page is shown.
  useEffect(() => setOpen(false), [path])
  const { name } = useProject()
  return (
    <header className="sticky top-0 z-30 flex items-center gap-1 border-b border-line bg-ground px-2 py-1 md:hidden">
      <IconButton label={t.navigation.openMenu} onClick={() => setOpen(true)}>
        <Menu aria-hidden />
      </IconButton>
      <BrandMark className="size-6" />
      <span className="min-w-0 flex-1 truncate px-1 font-semibold">{name}</span>
      <IconButton label={t.navigation.palette} onClick={onSearch}>
        <Search aria-hidden />
      </IconButton>
      {open && (
        <Suspense>
          <Drawer onClose={() => setOpen(false)} onSearch={onSearch} />
        </Suspense>
      )}
    </header>
  )
}
