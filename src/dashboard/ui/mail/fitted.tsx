// A mail on a screen of some width, scaled down where there is less space.
import { useEffect, useRef, useState } from 'react'
import { MailFrame } from './frame'

interface FittedMailProps {
  html: string
  title: string
  /** The width of the screen that the mail thinks it has. */
  width: number
}

export function FittedMail({ html, title, width }: FittedMailProps) {
  const box = useRef<HTMLDivElement>(null)
  const sheet = useRef<HTMLDivElement>(null)
  const [size, setSize] = useState({ room: width, height: 320 })
  useEffect(() => {
    const observer = new ResizeObserver(() =>
      setSize({ room: box.current?.clientWidth ?? width, height: sheet.current?.offsetHeight ?? 320 }),
    )
    if (box.current) observer.observe(box.current)
    if (sheet.current) observer.observe(sheet.current)
    return () => observer.disconnect()
  }, [width])
  const scale = Math.min(1, size.room / width)
  return (
    <div ref={box}>
      <div
        className="mx-auto overflow-hidden rounded-md border border-line bg-sunken"
        style={{ width: width * scale, height: size.height * scale }}
      >
        <div ref={sheet} className="origin-top-left" style={{ width, transform: `scale(${scale})` }}>
          <MailFrame html={html} title={title} width={width} loadsImages />
        </div>
      </div>
    </div>
  )
}
