// A color: the browser's own picker, and what is chosen in figures beside it.
import { t } from '../texts'

interface ColorFieldProps {
  id?: string
  value: string
  /** Of what always has one. */
  otherwise?: string
  onChange: (value: string | null) => void
}

/** Without a color of its own it shows none, and it can go back to that. */
export function ColorField({ id, value, onChange, otherwise }: ColorFieldProps) {
  return (
    <div className="flex items-center gap-2">
      <input
        id={id}
        type="color"
        className="control w-12 shrink-0 cursor-pointer rounded-md border border-edge bg-sheet p-1 data-unset:opacity-40"
        data-unset={value ? undefined : ''}
        value={value || otherwise || '#ffffff'}
        onChange={event => onChange(event.target.value)}
      />
      {value && !otherwise ? (
        <button
          type="button"
          className="min-w-0 truncate text-xs text-quiet underline hover:text-ink max-md:min-h-11"
          onClick={() => onChange(null)}
        >
          {t.writing.reset}
        </button>
      ) : (
        <span className="min-w-0 truncate text-xs text-quiet">{value || t.writing.unset}</span>
      )}
    </div>
  )
}
