// What a member without a second factor sees in a project that asks for one: why, and the way to it.
import { t } from '../texts'
import { ButtonLink } from '../ui/button'
import { Page } from '../ui/page'

export function TurnedAway({ project }: { project: string }) {
  return (
    <Page title={t.secondFactor.missing.title} description={t.secondFactor.missing.hint(project)}>
      <ButtonLink to="/account" look="strong">
        {t.secondFactor.setUp}
      </ButtonLink>
    </Page>
  )
}
