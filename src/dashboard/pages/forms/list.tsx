// All forms: where people subscribe themselves, and how many of them confirm it.
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ClipboardList } from 'lucide-react'
import { t } from '../../texts'
import { Badge } from '../../ui/badge'
import { ButtonLink } from '../../ui/button'
import { ErrorNote } from '../../ui/error-note'
import { Loading } from '../../ui/loading'
import { MoreButton } from '../../ui/more-button'
import { Card, Empty, Page } from '../../ui/page'
import { formPages, type SignUpForm } from './data'
import { FormFigures } from './figures'

export function Forms() {
  const query = useInfiniteQuery(formPages)
  const rows = query.data?.pages.flatMap(page => page.data) ?? []
  const create = (
    <ButtonLink to="/forms/new" look="strong">
      {t.forms.create}
    </ButtonLink>
  )
  return (
    <Page title={t.forms.title} description={t.forms.about} actions={rows.length > 0 && create}>
      {query.error && <ErrorNote error={query.error} onRetry={() => query.refetch()} />}
      {query.isPending && <Loading lines={8} />}
      {query.data && rows.length === 0 && (
        <Empty icon={<ClipboardList aria-hidden />} title={t.forms.empty} action={create}>
          {t.forms.emptyHint}
        </Empty>
      )}
      {rows.length > 0 && (
        <Card>
          <ul className="-my-3 divide-y divide-line">
            {rows.map(form => (
              <Row key={form.id} form={form} />
            ))}
          </ul>
        </Card>
      )}
      <MoreButton query={query} />
    </Page>
  )
}

function Row({ form }: { form: SignUpForm }) {
  const { id, name, enabled } = form
  return (
    <li className="relative flex flex-wrap items-center gap-x-6 gap-y-2 py-3">
      <p className="flex min-w-0 flex-1 basis-56 flex-wrap items-center gap-x-2.5 gap-y-1">
        <Link
          to="/forms/$id"
          params={{ id }}
          className="wrap-anywhere font-medium after:absolute after:inset-0 hover:underline"
        >
          {name}
        </Link>
        {!enabled && <Badge tone="warn">{t.words.off}</Badge>}
      </p>
      <FormFigures form={form} />
    </li>
  )
}
