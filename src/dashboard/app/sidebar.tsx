// The navigation: the project, where to go, and who is signed in.
import { Link } from '@tanstack/react-router'
import { Search } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { t } from '../texts'
import { whenIdle } from '../ui/idle'
import { AccountButton, ProjectButton, rowClass } from './menu-buttons'
import { useNavigation } from './navigation'

const loadMenus = async () => {
  await whenIdle()
  return await import('./menus')
}
const ProjectMenu = lazy(async () => ({ default: (await loadMenus()).ProjectMenu }))
const AccountMenu = lazy(async () => ({ default: (await loadMenus()).AccountMenu }))

export function Sidebar({ onSearch }: { onSearch: () => void }) {
  const groups = useNavigation()
  const [asked, setAsked] = useState<'project' | 'account'>()
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
        className="goes-on -mx-3 min-h-0 flex-1 space-y-4 overflow-y-auto px-3"
      >
        {groups.map(group => (
          <ul key={group[0]!.to} className="space-y-0.5">
            {group.map(({ to, label, icon: Icon }) => (
              <li key={to}>
                <Link
                  to={to}
                  activeOptions={{ exact: to === '/', includeSearch: false }}
                  className={`${rowClass} data-[status=active]:bg-hover data-[status=active]:font-medium data-[status=active]:text-ink`}
                >
                  <Icon aria-hidden />
                  {label}
                </Link>
              </li>
            ))}
          </ul>
        ))}
      </nav>
      <Suspense fallback={<AccountButton onClick={() => setAsked('account')} />}>
        <AccountMenu defaultOpen={asked === 'account'} />
      </Suspense>
    </div>
  )
}

const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent)
