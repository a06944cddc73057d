// Says that something unsaved was found, and asks what to do with it.
import { t } from '../texts'
import { Button } from '../ui/button'

interface Offer {
  offer: unknown
  takeOffer: () => void
  dropOffer: () => void
}

export function OfferNote({ draft: { offer, takeOffer, dropOffer } }: { draft: Offer }) {
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
