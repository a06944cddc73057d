// How the project is doing: what is still to be set up, figures compared with the previous span, what comes next, and what needs
// attention.
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useProject } from '../../app/session'
import { t } from '../../texts'
import { Page } from '../../ui/page'
import { type Span, spanOf, spans } from './data'
import { Figures } from './figures'
import { Health, Rejections, Upcoming } from './health'
import { Start } from './start'

const route = getRouteApi('/inside/')

export function Overview() {
  const { name } = useProject()
  const { days } = route.useSearch()
  const span = spanOf(days)
  return (
    <Page title={t.navigation.home} description={name} actions={<SpanChoice span={span} />}>
      <Start />
      <Figures span={span} />
      <Rejections span={span} />
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <Health />
        <Upcoming />
      </div>
    </Page>
  )
}

function SpanChoice({ span }: { span: Span }) {
  const navigate = useNavigate({ from: '/' })
  return (
    <fieldset className="flex rounded-md border border-line bg-sheet p-0.5">
      <legend className="sr-only">{t.overview.span}</legend>
      {spans.map(each => (
        <button
          key={each}
          type="button"
          aria-pressed={each === span}
          onClick={() => void navigate({ search: { days: String(each) }, replace: true })}
          className="min-h-8 rounded-md px-3 text-quiet hover:text-ink aria-pressed:bg-hover aria-pressed:font-medium aria-pressed:text-ink max-md:min-h-10"
        >
          {t.overview.days(each)}
        </button>
      ))}
    </fieldset>
  )
}
