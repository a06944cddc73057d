// How long the project keeps events, messages and inactive contacts, and what that would delete now.

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { answer, api, type Schemas } from '../../api/client'
import { readQuery } from '../../api/queries'
import { type Project, queryClient } from '../../app/session'
import { t } from '../../texts'
import { TextField } from '../../ui/field'
import { Form } from '../../ui/form'
import { formatNumber } from '../../ui/format'
import { Loaded } from '../../ui/loading'
import { Card } from '../../ui/page'
import { useRested } from '../../ui/rested'
import { Time } from '../../ui/time'
import { toast } from '../../ui/toast'
import { AdminFields } from './frame'
import { ChangedMeanwhile, saveOverNewest } from './save'

type Kept = Schemas['Retention']

const retentionQuery = (id: string) => readQuery(['retention'], '/projects/{id}/retention', { path: { id } })

export function Retention({ project }: { project: Project }) {
  const query = useQuery(retentionQuery(project.id))
  const words = t.settings.retention
  return (
    <Card title={words.title} description={words.hint}>
      <Loaded query={query}>{kept => <Rules project={project} kept={kept} />}</Loaded>
    </Card>
  )
}

const rules = [
  { name: 'eventsDays', of: 'events', least: 7 },
  { name: 'messagesDays', of: 'messages', least: 7 },
  { name: 'inactiveDays', of: 'contacts', least: 30 },
] as const
type Days = Record<(typeof rules)[number]['name'], number | null>

function Rules({ project, kept }: { project: Project; kept: Kept }) {
  const [base, setBase] = useState<Days>(daysOf(kept))
  const [days, setDays] = useState<Days>(base)
  const words = t.settings.retention
  const path = { id: project.id }
  const query = retentionQuery(project.id)
  const save = async (): Promise<void> => {
    try {
      const saved = await saveOverNewest<Days>({
        base,
        body: daysOf(days),
        read: async () => daysOf(await queryClient.fetchQuery({ ...query, staleTime: 0 })),
        put: async (changes, newest) => {
          const body = { ...newest, ...changes, expected: newest }
          const stored = await answer(api.PUT('/projects/{id}/retention', { params: { path }, body }))
          queryClient.setQueryData(query.queryKey, stored)
          return daysOf(stored!)
        },
      })
      setBase(saved)
      setDays(saved)
      toast(t.words.saved)
    } catch (error) {
      if (!(error instanceof ChangedMeanwhile)) throw error
      const theirs = rules.filter(({ name }) => error.members.includes(name))
      // The next Save is an answer to what is said now.
      setBase({ ...base, ...Object.fromEntries(theirs.map(({ name }) => [name, error.newest[name]])) })
      const said = theirs.map(({ name, of }) => `${words[of]} ${t.writing.quoted(error.newest[name] ?? '')}`)
      throw new Error(t.settings.changedMeanwhile(said.join(', ')))
    }
  }
  return (
    <Form onSubmit={save}>
      <AdminFields>
        {rules.map(({ name, of, least }) => (
          <TextField
            key={name}
            name={name}
            type="number"
            min={least}
            max={36_500}
            label={words[of]}
            hint={words.hints[of]}
            value={days[name] ?? ''}
            onChange={event => setDays({ ...days, [name]: Number(event.target.value) || null })}
          />
        ))}
        <Preview project={project} days={days} />
        {kept.effectiveAt && (
          <p className="text-quiet">
            {words.from} <Time at={kept.effectiveAt} exact />
          </p>
        )}
      </AdminFields>
    </Form>
  )
}

const daysOf = ({ eventsDays, messagesDays, inactiveDays }: Days): Days => ({
  eventsDays,
  messagesDays,
  inactiveDays,
})

/** Nothing while nothing is to be deleted, or what was entered can't be taken. */
function Preview({ project, days }: { project: Project; days: Days }) {
  const body = useRested(JSON.stringify(daysOf(days)), 400)
  const isAsking = rules.some(({ name }) => days[name] !== null)
  const { data } = useQuery({
    queryKey: ['retention', 'preview', body],
    queryFn: ({ signal }) => {
      const [params, rules] = [{ path: { id: project.id } }, JSON.parse(body) as Days]
      return answer(api.POST('/projects/{id}/retention/preview', { params, body: rules, signal }))
    },
    enabled: isAsking,
    retry: false,
  })
  if (!isAsking || !data) return null
  const shown = ({ count, isMore }: { count: number; isMore: boolean }): string =>
    isMore ? t.settings.retention.more(formatNumber(count)) : formatNumber(count)
  return (
    <dl className="grid grid-cols-3 gap-3" aria-label={t.settings.retention.preview}>
      {rules.map(({ of }) => (
        <div key={of}>
          <dt className="text-quiet">{t.settings.retention.due[of]}</dt>
          <dd className="text-xl font-semibold tracking-tight tabular-nums">{shown(data[of])}</dd>
        </div>
      ))}
    </dl>
  )
}
