// What is shown in place of a page: for an address that leads nowhere, and for a page that failed.
import type { ErrorComponentProps } from '@tanstack/react-router'
import { Compass } from 'lucide-react'
import { t } from '../texts'
import { ErrorNote } from '../ui/error-note'
import { Empty, Page } from '../ui/page'

export function NotFound() {
  return (
    <Empty icon={<Compass aria-hidden />} title={t.errors.notFound}>
      {t.errors.notFoundHint}
    </Empty>
  )
}

export function PageFailed({ error, reset }: ErrorComponentProps) {
  return (
    <Page title={t.errors.pageFailed}>
      <ErrorNote error={error} onRetry={reset} />
    </Page>
  )
}
