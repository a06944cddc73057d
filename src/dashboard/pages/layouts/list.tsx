// All layouts, as thumbnails around a sample text.
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { PanelsTopLeft } from 'lucide-react'
import { answer, api } from '../../api/client'
import { useProject } from '../../app/session'
import { language, t } from '../../texts'
import { useAttempt } from '../../ui/busy'
import { Button, ButtonLink } from '../../ui/button'
import { ErrorNote } from '../../ui/error-note'
import { NoRows } from '../../ui/list-page'
import { Thumbnail } from '../../ui/mail/thumbnail'
import { Page } from '../../ui/page'
import { RowList } from '../../ui/row-list'
import { Time } from '../../ui/time'
import { type LayoutRow, layoutPages } from './data'
import { sampleContent } from './sample'
import { starterLayout } from './starter'

export function Layouts() {
  const query = useInfiniteQuery(layoutPages)
  const total = query.data?.pages[0]?.total
  const { busy, error, run } = useAttempt()
  const navigate = useNavigate()
  const project = useProject()
  /** Makes a layout that is usable as it is, and opens it. */
  const begin = async (): Promise<void> => {
    const { firstName, address, manage } = t.layouts
    const body = starterLayout({ language: language(), company: project.name, address, manage })
    const made = await answer(api.POST('/layouts', { body: { name: firstName, body } }))
    await navigate({ to: '/layouts/$id', params: { id: made.id } })
  }
  const create = (
    <Button variant="strong" busy={busy} onClick={() => run(begin)}>
      {t.layouts.create}
    </Button>
  )
  return (
    <Page
      title={t.layouts.title}
      description={total ? t.layouts.total(total) : t.layouts.description}
      actions={
        <>
          <ButtonLink to="/settings/brand">{t.brand.title}</ButtonLink>
          {create}
        </>
      }
    >
      {error !== undefined && <ErrorNote error={error} />}
      <RowList
        query={query}
        className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3"
        lines={8}
        empty={<NoRows words={t.layouts} icon={PanelsTopLeft} />}
      >
        {layout => <Item key={layout.id} layout={layout} />}
      </RowList>
    </Page>
  )
}

/** The marks around the content in a mail of blocks. */
const contentMark = /<!-- \/?content -->/
/** The placeholder where a layout inserts it. */
const place = /\{\{-?\s*content\s*-?\}\}/

function Item({ layout: { id, name, body, updatedAt } }: { layout: LayoutRow }) {
  const inside = sampleContent().split(contentMark)[1] ?? ''
  return (
    <li className="relative min-w-0 overflow-hidden rounded-lg border border-line bg-sheet hover:border-edge">
      <Thumbnail html={body.replace(place, () => inside)} title={name} />
      <div className="space-y-1 border-t border-line px-4 py-3">
        <p>
          <Link
            to="/layouts/$id"
            params={{ id }}
            className="block truncate font-semibold after:absolute after:inset-0"
          >
            {name}
          </Link>
        </p>
        <p className="text-xs text-quiet">
          {t.layouts.changed} <Time at={updatedAt} />
        </p>
      </div>
    </li>
  )
}
