// A mail as its reader sees it: in a frame without an origin, in which no script of the mail runs.
import { useEffect, useRef, useState } from 'react'
import { pageAddress } from '../../app/page-address'
import { classes } from '../classes'

interface MailFrameProps {
  html: string
  /** Read aloud: the subject. */
  title: string
  /** The width of the window that the mail thinks it has. */
  width?: number
  /** The minimum height, so that the background of a short mail fills its surroundings. */
  minHeight?: number
}

export function MailFrame({ html, title, width, minHeight }: MailFrameProps) {
  const frame = useRef<HTMLIFrameElement>(null)
  const [isLoaded, setLoaded] = useState(false)
  const [height, setHeight] = useState(320)
  const [isDrawn, setDrawn] = useState(false)
  useEffect(() => {
    const listen = ({ source, data }: MessageEvent): void => {
      if (source !== frame.current?.contentWindow) return
      if (typeof data?.mailHeight !== 'number') return
      setHeight(Math.min(Math.max(data.mailHeight, 120), 20_000))
      setDrawn(true)
    }
    addEventListener('message', listen)
    return () => removeEventListener('message', listen)
  }, [])
  useEffect(() => {
    // The frame has no origin that one could name.
    if (isLoaded) frame.current?.contentWindow?.postMessage({ html }, '*')
  }, [isLoaded, html])
  return (
    <iframe
      ref={frame}
      title={title}
      src={`${pageAddress.app}/mail-frame`}
      // Its script has run by then. A message of the script's own may come before anybody listens.
      onLoad={() => setLoaded(true)}
      sandbox="allow-scripts allow-popups allow-popups-to-escape-sandbox"
      // A mail has white behind it; before it is there, by night, that would be a flash.
      className={classes('block max-w-full border-0 bg-white', !isDrawn && 'invisible')}
      style={{ width: width ?? '100%', height, minHeight, colorScheme: 'light' }}
    />
  )
}
