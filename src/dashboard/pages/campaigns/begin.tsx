// A new campaign starts from a template of the project, or from one of a few sample mails. It is a draft to everybody until somebody
// changes that.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { answer, api } from '../../api/client'
import { useProject } from '../../app/session'
import { useFirstSender } from '../../editor/first-sender'
import { SampleChoice } from '../../editor/sample-choice'
import { readWriting, savedOf, type Writing } from '../../editor/writing'
import { t } from '../../texts'
import { ErrorNote } from '../../ui/error-note'
import { inputClass } from '../../ui/field'
import { Card, Page } from '../../ui/page'
import { Back } from './back'
import { templateNamesQuery } from './data'

export function BeginCampaign() {
  const navigate = useNavigate()
  const queries = useQueryClient()
  const firstSender = useFirstSender()
  const begin = async (writing: Writing): Promise<void> => {
    const from = writing.from || (await firstSender())
    const body = { ...savedOf({ ...writing, from, name: writing.subject }), audienceType: 'ALL' as const }
    const made = await answer(api.POST('/campaigns', { body }))
    void queries.invalidateQueries({ queryKey: ['campaigns', 'list'] })
    await navigate({ to: '/campaigns/$id', params: { id: made!.data.id } })
  }
  return (
    <Page title={t.campaigns.create} description={t.campaigns.beginHint} above={<Back />}>
      <FromTemplate onChoose={begin} />
      <SampleChoice onChoose={begin} />
    </Page>
  )
}

function FromTemplate({ onChoose }: { onChoose: (writing: Writing) => Promise<void> }) {
  const { data: templates = [] } = useQuery(templateNamesQuery)
  const { language } = useProject()
  const [error, setError] = useState<unknown>()
  if (templates.length === 0) return null
  const choose = async (id: string): Promise<void> => {
    setError(undefined)
    try {
      const template = await answer(api.GET('/templates/{id}', { params: { path: { id } } }))
      await onChoose(readWriting(template!, language))
    } catch (problem) {
      setError(problem)
    }
  }
  return (
    <Card title={t.campaigns.fromTemplate}>
      {error !== undefined && <ErrorNote error={error} takesFocus />}
      <select
        aria-label={t.campaigns.fromTemplate}
        className={`${inputClass} md:max-w-96`}
        value=""
        onChange={event => void choose(event.target.value)}
      >
        <option value="" disabled>
          {t.words.chooseTemplate}
        </option>
        {templates.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </Card>
  )
}
