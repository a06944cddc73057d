// The navigation: the project, where to go, and who is signed in.
import { Link } from '@tanstack/react-router'
import { Search } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { t } from '../texts'
import { whenIdle } from '../ui/idle'
import { AccountButton, ProjectButton, rowClass } from './menu-buttons'
import { type NavigationSection, useNavigation, usePlace } from './navigation'

const loadMenus = async () => {
  await whenIdle()
  return await import('./menus')
}
const ProjectMenu = lazy(async () => ({ default: (await loadMenus()).ProjectMenu }))
const AccountMenu = lazy(async () => ({ default: (await loadMenus()).AccountMenu }))

export function Sidebar({ onSearch }: { onSearch: () => void }) {
  const navigation = useNavigation()
  const { sections, instance } = navigation
  const { section } = usePlace(navigation)
  const [asked, setAsked] = useState<'project' | 'account'>()
  const entry = (each: NavigationSection) => (
    <Entry key={each.to} section={each} isCurrent={each.to === section?.to} />
  )
  return (
    <div className="flex h-full flex-col gap-3 p-3">
      <Suspense fallback={<ProjectButton onClick={() => setAsked('project')} />}>
        <ProjectMenu defaultOpen={asked === 'project'} />
      </Suspense>
      <button type="button" onClick={onSearch} className={`${rowClass} border border-line bg-sheet`}>
        <Search aria-hidden />
        <span className="flex-1">{t.words.search}</span>
        <kbd className="font-sans text-xs">{isApple ? '⌘K' : 'Ctrl K'}</kbd>
      </button>
      <nav
        aria-label={t.navigation.label}
        className="goes-on -mx-3 flex min-h-0 flex-1 flex-col gap-4 overflow-y-auto px-3"
      >
        <ul className="space-y-1">{sections.map(entry)}</ul>
        {instance && <ul className="mt-auto">{entry(instance)}</ul>}
      </nav>
      <Suspense fallback={<AccountButton onClick={() => setAsked('account')} />}>
        <AccountMenu defaultOpen={asked === 'account'} />
      </Suspense>
    </div>
  )
}

/** The section is current on all of its pages. */
function Entry({
  section: { to, label, icon: Icon },
  isCurrent,
}: {
  section: NavigationSection
  isCurrent: boolean
}) {
  return (
    <li>
      <Link
        to={to}
        aria-current={isCurrent ? 'page' : undefined}
        activeOptions={{ exact: true, includeSearch: false }}
        className={`${rowClass} aria-[current=page]:bg-hover aria-[current=page]:font-medium aria-[current=page]:text-ink`}
      >
        <Icon aria-hidden />
        {label}
      </Link>
    </li>
  )
}

const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent)
