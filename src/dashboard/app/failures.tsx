// What is shown in place of a page: for an address that leads nowhere, for a page that failed, and in a project that turns
// the member away.

import type { ErrorComponentProps } from '@tanstack/react-router'
import { Compass } from 'lucide-react'
import { t } from '../texts'
import { ButtonLink } from '../ui/button'
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

/** For a member without a second factor in a project that requires one: why, and the way to it. */
export function TurnedAway({ project }: { project: string }) {
  return (
    <Page title={t.secondFactor.missing.title} description={t.secondFactor.missing.hint(project)}>
      <ButtonLink to="/account" variant="strong">
        {t.secondFactor.setUp}
      </ButtonLink>
    </Page>
  )
}
