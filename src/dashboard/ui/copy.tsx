// Copying, and blocks of code to copy.
import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { t } from '../texts'
import { IconButton } from './button'
import { classes } from './classes'

export function CopyButton({ text, label = t.words.copy }: { text: string; label?: string }) {
  const [done, setDone] = useState(false)
  useEffect(() => {
    if (!done) return
    const timer = setTimeout(() => setDone(false), 2_000)
    return () => clearTimeout(timer)
  }, [done])
  const copy = async (): Promise<void> => setDone(await copyText(text))
  return (
    <IconButton label={done ? t.words.copied : label} onClick={copy}>
      {done ? <Check className="text-good" aria-hidden /> : <Copy aria-hidden />}
    </IconButton>
  )
}

/** If the page came over plain HTTP from another machine, browsers offer the clipboard only in this way. */
export async function copyText(text: string): Promise<boolean> {
  if (navigator.clipboard)
    return await navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    )
  const area = Object.assign(document.createElement('textarea'), { value: text })
  document.body.append(area)
  area.select()
  const done = document.execCommand('copy')
  area.remove()
  return done
}

interface CodeBlockProps {
  code: string
  /** What is copied, if not all of it is shown. */
  whole?: string
  className?: string
}

/** Text that is copied as it is; long lines scroll, and so does text longer than a screen. */
export function CodeBlock({ code, whole = code, className }: CodeBlockProps) {
  return (
    <div className={classes('relative rounded-lg border border-line bg-sunken', className)}>
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard.
        tabIndex={0}
        className="max-h-[70vh] overflow-auto p-3.5 pr-12 font-mono text-[0.8125rem] leading-relaxed"
      >
        <code>{code}</code>
      </pre>
      <div className="absolute top-1 right-1 rounded-md bg-sunken">
        <CopyButton text={whole} />
      </div>
    </div>
  )
}

/** One value in a line: an id, a record, a key. */
export function CopyValue({ value, shown = value }: { value: string; shown?: string }) {
  return (
    <span className="inline-flex max-w-full items-center gap-1">
      <code className="truncate font-mono text-[0.8125rem]" title={shown}>
        {shown}
      </code>
      <CopyButton text={value} />
    </span>
  )
}
