// The menus of the navigation: switching projects, appearance, signing out.

import { useRouter } from '@tanstack/react-router'
import { Check, Languages, LifeBuoy, LogOut, Plus, SunMoon, UserRound } from 'lucide-react'
import { useState } from 'react'
import { language, t } from '../texts'
import { languages } from '../texts/language'
import { Menu, type MenuEntry } from '../ui/menu'
import { switchLanguage } from './language-select'
import { AccountButton, ProjectButton } from './menu-buttons'
import { guidesUrl, leaveFor } from './page-address'
import { signOut, useProject, useSession } from './session'
import { savedTheme, saveTheme, themes } from './theme'

interface OpenAtOnce {
  /** Somebody has asked for it before it was there. */
  defaultOpen: boolean
}

export function ProjectMenu({ defaultOpen }: OpenAtOnce) {
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
      defaultOpen={defaultOpen}
      trigger={<ProjectButton />}
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

export function AccountMenu({ defaultOpen }: OpenAtOnce) {
  const router = useRouter()
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
      defaultOpen={defaultOpen}
      trigger={<AccountButton />}
      entries={[
        {
          label: t.profile.title,
          icon: <UserRound aria-hidden />,
          onSelect: () => void router.navigate({ to: '/account' }),
        },
        null,
        ...looks,
        null,
        ...tongues(),
        null,
        {
          label: t.navigation.guides,
          icon: <LifeBuoy aria-hidden />,
          onSelect: () => void open(guidesUrl, '_blank', 'noopener'),
        },
        { label: t.navigation.signOut, icon: <LogOut aria-hidden />, onSelect: () => void signOut() },
      ]}
    />
  )
}

/** Each language by its own name, so that whoever reads only that one finds it. */
function tongues(): MenuEntry[] {
  return Object.entries(languages).map(([code, name]) => ({
    label: <span lang={code}>{name}</span>,
    icon: code === language() ? <Check aria-hidden /> : <Languages aria-hidden />,
    onSelect: () => void switchLanguage(code),
  }))
}
