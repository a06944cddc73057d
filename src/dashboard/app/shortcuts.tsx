// The keyboard shortcuts, shown when the question mark is pressed.
import { t } from '../texts'
import { Dialog } from '../ui/dialog'

const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent)

export default function Shortcuts({ onClose }: { onClose: () => void }) {
  const { shortcuts } = t.navigation
  const rows: Array<[what: string, keys: string[]]> = [
    [shortcuts.palette, [isApple ? '⌘' : 'Ctrl', 'K']],
    [shortcuts.move, ['↑', '↓']],
    [shortcuts.choose, ['Enter']],
    [shortcuts.close, ['Esc']],
    [shortcuts.help, ['?']],
  ]
  return (
    <Dialog open onClose={onClose} title={shortcuts.title}>
      <dl className="divide-y divide-line">
        {rows.map(([what, keys]) => (
          <div key={what} className="flex items-center justify-between gap-4 py-2">
            <dt>{what}</dt>
            <dd className="flex gap-1">
              {keys.map(key => (
                <kbd
                  key={key}
                  className="rounded-md border border-edge bg-sunken px-2 py-0.5 font-sans text-xs"
                >
                  {key}
                </kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
