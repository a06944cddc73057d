// A menu behind a button, and a popover for things that are more than a list.
import { Menu as Base } from '@base-ui/react/menu'
import { Popover as BasePopover } from '@base-ui/react/popover'
import { Ellipsis } from 'lucide-react'
import type { ReactElement, ReactNode } from 'react'
import { t } from '../texts'
import { IconButton } from './button'
import { classes } from './classes'

export interface MenuEntry {
  label: ReactNode
  icon?: ReactNode
  onSelect?: () => void
  /** Destroys something; it must ask first. */
  danger?: boolean
  disabled?: boolean
  /** Marks the current choice. */
  checked?: boolean
}

interface MenuProps {
  /** The button that opens it; three dots unless another is given. */
  trigger?: ReactElement<Record<string, unknown>>
  /** `null` draws a separator. */
  entries: Array<MenuEntry | null>
  align?: 'start' | 'end'
  defaultOpen?: boolean
  /** Where something else than its button opens it. */
  open?: boolean
  onOpenChange?: (open: boolean) => void
}

export const popClass =
  'z-50 min-w-44 rounded-lg border border-line bg-raised p-1 shadow-pop outline-none data-starting-style:opacity-0 data-ending-style:opacity-0'

const entryClass =
  'flex min-h-8 max-md:min-h-11 select-none items-center gap-2.5 rounded-md px-2.5 outline-none data-highlighted:bg-hover data-disabled:opacity-50 [&>svg]:size-4 [&>svg]:text-quiet'

/** Beside the buttons for what is done most. */
const moreButton = () => (
  <IconButton label={t.words.more} variant="plain">
    <Ellipsis aria-hidden />
  </IconButton>
)

export function Menu({
  trigger = moreButton(),
  entries,
  align = 'end',
  defaultOpen = false,
  open,
  onOpenChange,
}: MenuProps) {
  return (
    <Base.Root modal={false} defaultOpen={defaultOpen} open={open} onOpenChange={onOpenChange}>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner align={align} sideOffset={4} className="z-50">
          <Base.Popup data-fades className={classes(popClass, 'max-h-(--available-height) overflow-y-auto')}>
            {entries.map((entry, index) =>
              entry === null ? (
                // biome-ignore lint/suspicious/noArrayIndexKey: lines have nothing but their place.
                <Base.Separator key={index} className="my-1 h-px bg-line" />
              ) : (
                <Base.Item
                  // biome-ignore lint/suspicious/noArrayIndexKey: entries are not moved while the menu is open.
                  key={index}
                  disabled={entry.disabled}
                  onClick={entry.onSelect}
                  className={classes(entryClass, entry.danger && 'text-bad [&>svg]:text-bad')}
                >
                  {entry.icon}
                  <span className="flex-1">{entry.label}</span>
                  {entry.checked && <span aria-hidden>✓</span>}
                </Base.Item>
              ),
            )}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

export function Popover({ trigger, children, align = 'start' }: PopoverProps) {
  return (
    <BasePopover.Root>
      <BasePopover.Trigger render={trigger} />
      <BasePopover.Portal>
        <BasePopover.Positioner align={align} sideOffset={4} className="z-50">
          <BasePopover.Popup data-fades className={classes(popClass, 'p-3')}>
            {children}
          </BasePopover.Popup>
        </BasePopover.Positioner>
      </BasePopover.Portal>
    </BasePopover.Root>
  )
}

interface PopoverProps {
  trigger: ReactElement<Record<string, unknown>>
  children: ReactNode
  align?: 'start' | 'end'
}
