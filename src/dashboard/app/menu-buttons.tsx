// The buttons at the top and the end of the navigation. They are there at once; their menus come a moment later, because the code that
// places a menu on the screen is a quarter of what the first page would load.
import { ChevronsUpDown, Ellipsis } from 'lucide-react'
import type { ComponentProps } from 'react'
import { t } from '../texts'
import { classes } from '../ui/classes'
import { BrandMark } from './mark'
import { useProject, useSession } from './session'

export const rowClass =
  'flex min-h-8 w-full items-center gap-2.5 rounded-md px-2.5 text-left text-quiet hover:bg-hover hover:text-ink max-md:min-h-11 [&>svg]:size-4 [&>svg]:shrink-0'

/** The menu passes the button the props that open it. */
export function ProjectButton(props: ComponentProps<'button'>) {
  const { name } = useProject()
  return (
    <button
      type="button"
      {...props}
      aria-label={`${t.navigation.switchProject}: ${name}`}
      className={classes(rowClass, 'min-h-10')}
    >
      <BrandMark className="size-6!" />
      <span className="min-w-0 flex-1 truncate font-semibold text-ink">{name}</span>
      <ChevronsUpDown aria-hidden />
    </button>
  )
}

export function AccountButton(props: ComponentProps<'button'>) {
  const { email } = useSession().user
  return (
    <button type="button" {...props} className={rowClass}>
      <span className="grid size-6 shrink-0 place-items-center rounded-full bg-accent-soft text-xs font-semibold text-accent uppercase">
        {email[0]}
      </span>
      <span className="min-w-0 flex-1 truncate">{email}</span>
      <Ellipsis aria-hidden />
    </button>
  )
}
