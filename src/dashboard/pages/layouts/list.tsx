// All layouts, as thumbnails around a sample text.
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { PanelsTopLeft } from 'lucide-react'
import { answer, api } from '../../api/client'
import { ForWriters } from '../../app/rights'
import { useProject } from '../../app/session'
import { brandQuery } from '../../editor/data'
import { brandValues, fillBrand } from '../../editor/mail/brand'
import { renderMail } from '../../editor/mail/render'
import { t } from '../../texts'
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
  const queries = useQueryClient()
  /** Makes a layout that is usable as it is, and opens it. */
  const begin = async (): Promise<void> => {
    const document = starterLayout(await queries.fetchQuery(brandQuery), t.writing.linkWords)
    const body = renderMail(document, project.language)
    const made = await answer(
      api.POST('/layouts', {
        body: { name: t.layouts.firstName, body, editor: { kind: 'blocks', document } },
      }),
    )
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
          <ForWriters>{create}</ForWriters>
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
  const project = useProject()
  const { data: brand } = useQuery(brandQuery)
  const inside = sampleContent().split(contentMark)[1] ?? ''
  const whole = body.replace(place, () => inside)
  return (
    <li className="relative min-w-0 overflow-hidden rounded-lg border border-line bg-sheet hover:border-edge">
      <Thumbnail html={brand ? fillBrand(whole, brandValues(brand, project.name)) : whole} title={name} />
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
