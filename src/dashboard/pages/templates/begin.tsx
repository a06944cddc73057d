// A new template starts from one of a few sample mails, or from an empty sheet.
import { useNavigate } from '@tanstack/react-router'
import { answer, api } from '../../api/client'
import { useFirstSender } from '../../editor/first-sender'
import { SampleChoice } from '../../editor/sample-choice'
import { savedOf } from '../../editor/writing'
import { t } from '../../texts'
import { BackLink } from '../../ui/back-link'
import { Page } from '../../ui/page'

export function BeginTemplate() {
  const navigate = useNavigate()
  const firstSender = useFirstSender()
  return (
    <Page
      title={t.templates.create}
      description={t.templates.beginHint}
      above={<BackLink to="/templates">{t.templates.title}</BackLink>}
    >
      <SampleChoice
        onChoose={async writing => {
          const from = await firstSender()
          const made = await answer(api.POST('/templates', { body: savedOf({ ...writing, from }) }))
          await navigate({ to: '/templates/$id', params: { id: made!.id } })
        }}
      />
    </Page>
  )
}
