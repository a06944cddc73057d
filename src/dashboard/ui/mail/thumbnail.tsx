// A thumbnail of a mail, which neither mouse nor keyboard reaches. Drawn when it comes into sight.
import { useEffect, useRef, useState } from 'react'
import { MailFrame } from './frame'

/** The width that the mail thinks it has. */
const mailWidth = 640
const boxHeight = 208

/** A picture of a mail says what stands in for a name, and not how that is written. */
const asRead = (html: string): string =>
  html.replaceAll(/\{\{ ?[\w.]+ \?\? (?:"|&quot;)([^"&{}]*)(?:"|&quot;) ?\}\}/g, '$1')

export function Thumbnail({ html, title }: { html: string; title: string }) {
  const box = useRef<HTMLDivElement>(null)
  const [scale, setScale] = useState<number>()
  useEffect(() => {
    const { current } = box
    if (!current) return
    const observer = new IntersectionObserver(entries => {
      if (entries.some(entry => entry.isIntersecting)) setScale(current.clientWidth / mailWidth)
    })
    observer.observe(current)
    return () => observer.disconnect()
  }, [])
  return (
    <div
      ref={box}
      className="overflow-hidden bg-sunken [clip-path:inset(0_round_9px_9px_0_0)]"
      style={{ height: boxHeight }}
      aria-hidden
      inert
    >
      {scale !== undefined && (
        <div
          className="pointer-events-none origin-top-left"
          style={{ width: mailWidth, transform: `scale(${scale})` }}
        >
          <MailFrame
            html={asRead(html)}
            title={title}
            width={mailWidth}
            minHeight={boxHeight / scale}
            loadsImages
          />
        </div>
      )}
    </div>
  )
}
