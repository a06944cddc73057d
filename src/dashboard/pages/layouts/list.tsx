// All layouts, as thumbnails around a sample text.
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { PanelsTopLeft } from 'lucide-react'
import { useState } from 'react'
import { answer, api } from '../../api/client'
import { useProject } from '../../app/session'
import { language, t } from '../../texts'
import { Button } from '../../ui/button'
import { ErrorNote } from '../../ui/error-note'
import { Loading } from '../../ui/loading'
import { Thumbnail } from '../../ui/mail/thumbnail'
import { MoreButton } from '../../ui/more-button'
import { Empty, Page } from '../../ui/page'
import { Time } from '../../ui/time'
import { type LayoutRow, layoutPages } from './data'
import { sampleContent } from './sample'
import { starterLayout } from './starter'

export function Layouts() {
  const query = useInfiniteQuery(layoutPages)
  const rows = query.data?.pages.flatMap(page => page.data) ?? []
  const total = query.data?.pages[0]?.total
  const { begin, busy, error } = useBeginning()
  const create = (
    <Button look="strong" busy={busy} onClick={begin}>
      {t.layouts.create}
    </Button>
  )
  return (
    <Page
      title={t.layouts.title}
      description={total ? t.layouts.total(total) : t.layouts.description}
      actions={rows.length > 0 && create}
    >
      {error !== undefined && <ErrorNote error={error} />}
      {query.error && <ErrorNote error={query.error} onRetry={() => query.refetch()} />}
      {query.isPending && <Loading lines={8} />}
      {query.data && rows.length === 0 && (
        <Empty icon={<PanelsTopLeft aria-hidden />} title={t.layouts.empty} action={create}>
          {t.layouts.emptyHint}
        </Empty>
      )}
      <ul className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
        {rows.map(layout => (
          <Item key={layout.id} layout={layout} />
        ))}
      </ul>
      <MoreButton query={query} />
    </Page>
  )
}

/** Makes a layout that is usable as it is, and opens it. */
function useBeginning() {
  const navigate = useNavigate()
  const queries = useQueryClient()
  const project = useProject()
  const [state, setState] = useState<{ busy?: boolean; error?: unknown }>({})
  const begin = async (): Promise<void> => {
    setState({ busy: true })
    const { firstName, address, manage } = t.layouts
    const body = starterLayout({ language: language(), company: project.name, address, manage })
    try {
      const made = await answer(api.POST('/layouts', { body: { name: firstName, body } }))
      void queries.invalidateQueries({ queryKey: ['layouts'] })
      await navigate({ to: '/layouts/$id', params: { id: made.id } })
    } catch (error) {
      setState({ error })
    }
  }
  return { ...state, begin: () => void begin() }
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
