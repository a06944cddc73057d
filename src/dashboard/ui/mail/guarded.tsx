// An email that was sent or received: its images are loaded when the reader asks for them, because they tell their servers who looks.
import { ImageOff } from 'lucide-react'
import { useCallback, useState } from 'react'
import { t } from '../../texts'
import { Button } from '../button'
import { MailFrame } from './frame'

interface GuardedMailProps {
  html: string
  title: string
  width?: number | undefined
  /** Kept by whoever shows the email, in one frame or several. */
  images: LoadedImages
}

export interface LoadedImages {
  areLoaded: boolean
  load: () => void
}

/** The choice of the reader, for one email: give the component that calls it the id of the email as its key. */
export function useLoadedImages(): LoadedImages {
  const [areLoaded, setLoaded] = useState(false)
  const load = useCallback(() => setLoaded(true), [])
  return { areLoaded, load }
}

export function GuardedMail({ html, title, width, images }: GuardedMailProps) {
  const [isBlocked, setBlocked] = useState(false)
  const noteBlocked = useCallback(() => setBlocked(true), [])
  return (
    <div
      className="mx-auto max-w-full overflow-hidden rounded-md border border-line bg-sunken"
      style={width ? { width } : {}}
    >
      {isBlocked && !images.areLoaded && (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b border-line bg-sheet px-3 py-2">
          <ImageOff className="size-4 shrink-0 text-quiet" aria-hidden />
          <p className="min-w-0 flex-1 basis-56 text-quiet">{t.mailImages.blocked}</p>
          <Button onClick={images.load}>{t.mailImages.load}</Button>
        </div>
      )}
      <MailFrame
        html={html}
        title={title}
        width={width}
        loadsImages={images.areLoaded}
        onBlocked={noteBlocked}
      />
    </div>
  )
}
