// The navigation on phones: it slides in from the side and closes when something is chosen.
import { Dialog } from '@base-ui/react/dialog'
import { t } from '../texts'
import { backdropClass } from '../ui/dialog'
import { Sidebar } from './sidebar'

export default function Drawer({ onClose, onSearch }: { onClose: () => void; onSearch: () => void }) {
  return (
    <Dialog.Root open onOpenChange={isOpen => !isOpen && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop data-fades className={backdropClass} />
        <Dialog.Popup
          data-fades
          className="fixed inset-y-0 left-0 z-50 w-72 max-w-[85vw] bg-ground shadow-pop data-starting-style:opacity-0 data-ending-style:opacity-0"
        >
          <Dialog.Title className="sr-only">{t.words.menu}</Dialog.Title>
          <Sidebar
            onSearch={() => {
              onClose()
              onSearch()
            }}
          />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
