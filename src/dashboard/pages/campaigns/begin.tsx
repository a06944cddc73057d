// A new campaign starts from a template of the project, or from one of a few sample mails. It is a draft to everybody until somebody
// changes that.
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { answer, api } from '../../api/client'
import { read } from '../../api/queries'
import { refresh, useProject } from '../../app/session'
import { useFirstSender } from '../../editor/first-sender'
import { SampleChoice } from '../../editor/sample-choice'
import { readWriting, savedOf, type Writing } from '../../editor/writing'
import { t } from '../../texts'
import { useAttempt } from '../../ui/busy'
import { ErrorNote } from '../../ui/error-note'
import { Select } from '../../ui/field'
import { Card, Page } from '../../ui/page'
import { Back } from './back'
import { templateNamesQuery } from './data'

export function BeginCampaign() {
  const navigate = useNavigate()
  const firstSender = useFirstSender()
  const begin = async (writing: Writing): Promise<void> => {
    const from = writing.from || (await firstSender())
    const body = { ...savedOf({ ...writing, from, name: writing.subject }), audienceType: 'ALL' as const }
    const made = await answer(api.POST('/campaigns', { body }))
    void refresh('campaigns', 'list')
    await navigate({ to: '/campaigns/$id', params: { id: made!.data.id } })
  }
  return (
    <Page title={t.campaigns.create} description={t.campaigns.beginHint} above={<Back />}>
      <FromTemplate onChoose={begin} />
      <SampleChoice forCampaign onChoose={begin} />
    </Page>
  )
}

function FromTemplate({ onChoose }: { onChoose: (writing: Writing) => Promise<void> }) {
  const { data: templates = [] } = useQuery(templateNamesQuery)
  const { language } = useProject()
  const { error, run } = useAttempt()
  if (templates.length === 0) return null
  const choose = (id: string) =>
    void run(
      async () => await onChoose(readWriting(await read('/templates/{id}', { path: { id } }), language)),
    )
  return (
    <Card title={t.campaigns.fromTemplate}>
      {error !== undefined && <ErrorNote error={error} takesFocus />}
      <Select
        label={t.campaigns.fromTemplate}
        className="md:max-w-96"
        value=""
        options={templates.map(({ id, name }) => [id, name])}
        onChange={choose}
      >
        <option value="" disabled>
          {t.words.chooseTemplate}
        </option>
      </Select>
    </Card>
  )
}
