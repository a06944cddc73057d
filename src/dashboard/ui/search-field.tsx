// A field that searches while one types: it reports what was typed after a short pause, or at once with Enter.
import { Search } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { classes } from './classes'
import { inputClass } from './field'

interface SearchFieldProps {
  label: string
  value?: string
  onChange: (text: string) => void
  className?: string
}

const restMs = 300

export function SearchField({ label, value = '', onChange, className }: SearchFieldProps) {
  const [text, setText] = useState(value)
  const reported = useRef(value)
  useEffect(() => {
    // Changed from elsewhere, such as by going back.
    if (value !== reported.current) setText(value)
    reported.current = value
  }, [value])
  useEffect(() => {
    if (text.trim() === reported.current) return
    const timer = setTimeout(() => {
      reported.current = text.trim()
      onChange(text.trim())
    }, restMs)
    return () => clearTimeout(timer)
  }, [text, onChange])
  return (
    <div className={classes('relative', className)}>
      <Search
        className="pointer-events-none absolute top-1/2 left-2.5 size-4 -translate-y-1/2 text-quiet"
        aria-hidden
      />
      <input
        type="search"
        aria-label={label}
        placeholder={label}
        value={text}
        onChange={event => setText(event.target.value)}
        className={classes(inputClass, 'pl-8')}
      />
    </div>
  )
}
