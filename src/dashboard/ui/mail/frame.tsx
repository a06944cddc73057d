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
  /** Loads images from elsewhere, which tells their servers that somebody looks: for what the project's own people have written. */
  loadsImages?: boolean
  /** Called when an image was not loaded. */
  onBlocked?: () => void
}

export function MailFrame({ html, title, width, minHeight, loadsImages, onBlocked }: MailFrameProps) {
  const frame = useRef<HTMLIFrameElement>(null)
  const [loads, setLoads] = useState(0)
  const [height, setHeight] = useState(320)
  const [isDrawn, setDrawn] = useState(false)
  useEffect(() => {
    const listen = ({ source, data }: MessageEvent): void => {
      if (source !== frame.current?.contentWindow) return
      if (data?.mailBlocked) onBlocked?.()
      if (typeof data?.mailHeight !== 'number') return
      setHeight(Math.min(Math.max(data.mailHeight, 120), 20_000))
      setDrawn(true)
    }
    addEventListener('message', listen)
    return () => removeEventListener('message', listen)
  }, [onBlocked])
  useEffect(() => {
    // The frame has no origin that one could name.
    if (loads > 0) frame.current?.contentWindow?.postMessage({ html }, '*')
  }, [loads, html])
  return (
    <iframe
      ref={frame}
      title={title}
      src={`${pageAddress.app}/mail-frame${loadsImages ? '?images' : ''}`}
      // Its script has run by then. A message of the script's own may come before anybody listens.
      onLoad={() => setLoads(count => count + 1)}
      sandbox="allow-scripts allow-popups allow-popups-to-escape-sandbox"
      // A mail has white behind it; before it is there, by night, that would be a flash.
      className={classes('block max-w-full border-0 bg-white', !isDrawn && 'invisible')}
      style={{ width: width ?? '100%', height, minHeight, colorScheme: 'light' }}
    />
  )
}
