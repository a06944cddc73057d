// The way back to all campaigns.
import { Link } from '@tanstack/react-router'
import { ChevronLeft } from 'lucide-react'
import { t } from '../../texts'

export function Back() {
  return (
    <Link to="/campaigns" className="inline-flex items-center gap-1 hover:text-ink">
      <ChevronLeft className="size-4" aria-hidden /> {t.campaigns.title}
    </Link>
  )
}
