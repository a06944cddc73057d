// A window over the page: for a short form or one question. The page behind is inert until it is closed.
import { Dialog as Base } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import { t } from '../texts'
import { IconButton } from './button'
import { classes } from './classes'

interface DialogProps {
  open: boolean
  onClose: () => void
  title: ReactNode
  description?: ReactNode
  children?: ReactNode
  /** For content that needs space, such as a preview. */
  wide?: boolean
}

export function Dialog({ open, onClose, title, description, children, wide }: DialogProps) {
  const popup = useRef<HTMLDivElement>(null)
  return (
    <Base.Root open={open} onOpenChange={isOpen => !isOpen && onClose()}>
      <Base.Portal>
        <Base.Backdrop data-fades className={backdropClass} />
        <Base.Popup
          ref={popup}
          data-fades
          className={classes(popupClass, wide ? 'md:max-w-4xl' : 'md:max-w-lg')}
          initialFocus={openedBy => (openedBy === 'touch' ? true : (firstField(popup.current) ?? true))}
        >
          <header className="flex items-start justify-between gap-4">
            <div className="space-y-1">
              <Base.Title className="text-base font-semibold">{title}</Base.Title>
              {description && (
                <Base.Description className="text-quiet" render={<div />}>
                  {description}
                </Base.Description>
              )}
            </div>
            <Base.Close render={<IconButton label={t.words.close} className="-mt-1.5 -mr-2" />}>
              <X aria-hidden />
            </Base.Close>
          </header>
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}

/** Where one begins to type. After a touch it is left alone: a keyboard would cover what the dialog says. */
function firstField(popup: HTMLElement | null): HTMLElement | undefined {
  const fields = popup?.querySelectorAll<HTMLElement>('input:not([type=file]), select, textarea') ?? []
  return [...fields].find(field => !field.matches(':disabled') && field.checkVisibility())
}

export const backdropClass =
  'fixed inset-0 z-40 bg-[light-dark(rgb(40_30_20/0.35),rgb(0_0_0/0.6))] data-starting-style:opacity-0 data-ending-style:opacity-0'

/** A sheet from below on phones, in the middle elsewhere. */
const popupClass =
  'fixed z-50 inset-x-0 bottom-0 max-h-[92dvh] overflow-y-auto rounded-t-xl bg-raised p-5 shadow-pop space-y-5 md:inset-x-4 md:top-[12dvh] md:bottom-auto md:max-h-[80dvh] md:mx-auto md:rounded-lg data-starting-style:opacity-0 data-ending-style:opacity-0'

/** Buttons at the end of a dialog or a form. */
export function Actions({ children }: { children: ReactNode }) {
  return <div className="flex flex-wrap justify-end gap-2 max-md:[&>*]:flex-1">{children}</div>
}
