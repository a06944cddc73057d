// Above a draft: that something unsaved was found, with the question what to do with it; or that the reader may not change it.
import { mayWrite, useProject } from '../app/session'
import { t } from '../texts'
import { Button } from '../ui/button'

interface Offer {
  offer: unknown
  takeOffer: () => void
  dropOffer: () => void
}

export function OfferNote({ draft: { offer, takeOffer, dropOffer } }: { draft: Offer }) {
  if (!mayWrite(useProject()))
    return <p className="rounded-lg bg-accent-soft px-4 py-2.5">{t.writing.viewOnlyHint}</p>
  if (offer === undefined) return null
  return (
    <div
      role="status"
      className="flex flex-wrap items-center justify-between gap-3 rounded-lg bg-accent-soft px-4 py-2.5"
    >
      <p>{t.writing.draftFound}</p>
      <div className="flex flex-wrap gap-2">
        <Button onClick={dropOffer}>{t.writing.dropDraft}</Button>
        <Button variant="strong" onClick={takeOffer}>
          {t.writing.useDraft}
        </Button>
      </div>
    </div>
  )
}
