// The navigation: the project, where to go, and who is signed in.
import { Link } from '@tanstack/react-router'
import { BookOpen, Check, ChevronsUpDown, LogOut, Plus, Search, SunMoon } from 'lucide-react'
import { useState } from 'react'
import { t } from '../texts'
import { Menu, type MenuEntry } from '../ui/menu'
import { Mark } from './mark'
import { useNavigation } from './navigation'
import { leaveFor, place } from './place'
import { signOut, useProject, useSession } from './session'
import { savedTheme, saveTheme, themes } from './theme'

const rowClass =
  'flex min-h-8 w-full items-center gap-2.5 rounded-md px-2.5 text-left text-quiet hover:bg-hover hover:text-ink max-md:min-h-11 [&>svg]:size-4 [&>svg]:shrink-0'

export function Sidebar({ onSearch }: { onSearch: () => void }) {
  const groups = useNavigation()
  return (
    <div className="flex h-full flex-col gap-3 overflow-y-auto p-3">
      <ProjectSwitcher />
      <button type="button" onClick={onSearch} className={`${rowClass} border border-line bg-sheet`}>
        <Search aria-hidden />
        <span className="flex-1">{t.words.search}</span>
        <kbd className="font-sans text-xs">{isApple ? '⌘K' : 'Ctrl K'}</kbd>
      </button>
      <nav aria-label={t.navigation.label} className="flex-1 space-y-4">
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
      <AccountMenu />
    </div>
  )
}

const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent)

function ProjectSwitcher() {
  const { projects } = useSession()
  const project = useProject()
  const entries: Array<MenuEntry | null> = projects.map(({ id, name }) => ({
    label: name,
    checked: id === project.id,
    onSelect: () => leaveFor(id),
  }))
  return (
    <Menu
      align="start"
      trigger={
        <button
          type="button"
          aria-label={`${t.navigation.switchProject}: ${project.name}`}
          className={`${rowClass} min-h-10`}
        >
          <Mark className="size-6!" />
          <span className="min-w-0 flex-1 truncate font-semibold text-ink">{project.name}</span>
          <ChevronsUpDown aria-hidden />
        </button>
      }
      entries={[
        ...entries,
        null,
        {
          label: t.navigation.newProject,
          icon: <Plus aria-hidden />,
          onSelect: () => leaveFor(undefined, '/welcome'),
        },
      ]}
    />
  )
}

function AccountMenu() {
  const { user } = useSession()
  const [theme, setTheme] = useState(savedTheme)
  const looks: MenuEntry[] = themes.map(name => ({
    label: t.navigation.themes[name],
    icon: name === theme ? <Check aria-hidden /> : <SunMoon aria-hidden />,
    onSelect: () => {
      saveTheme(name)
      setTheme(name)
    },
  }))
  return (
    <Menu
      align="start"
      trigger={
        <button type="button" className={rowClass}>
          <span className="grid size-6 shrink-0 place-items-center rounded-full bg-accent-soft text-xs font-semibold text-accent uppercase">
            {user.email[0]}
          </span>
          <span className="min-w-0 flex-1 truncate">{user.email}</span>
        </button>
      }
      entries={[
        ...looks,
        null,
        {
          label: t.navigation.apiReference,
          icon: <BookOpen aria-hidden />,
          onSelect: () => location.assign(`${place.origin}/docs`),
        },
        { label: t.navigation.signOut, icon: <LogOut aria-hidden />, onSelect: () => void signOut() },
      ]}
    />
  )
}
