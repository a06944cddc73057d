// Tests of a campaign, to oneself and to colleagues: what their addresses get is what a reader gets.
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { answer, api } from '../../api/client'
import { readQuery } from '../../api/queries'
import { configQuery, useProject, useSession } from '../../app/session'
import { t } from '../../texts'
import { Button } from '../../ui/button'
import { TextField } from '../../ui/field'
import { Form, SubmitButton } from '../../ui/form'
import { Card } from '../../ui/page'
import { toast } from '../../ui/toast'
import type { VariantName } from './data'
import type { ShowBroken } from './send'
import type { DraftControl } from './use-campaign-draft'

interface TestProps {
  control: DraftControl
  variant: VariantName
  showBroken: ShowBroken
}

const mostAddresses = 10
const offeredAtMost = 5

const membersQuery = (id: string) => readQuery(['members'], '/projects/{id}/members', { path: { id } })

export function Test({ control: { campaign, draft, store }, variant, showBroken }: TestProps) {
  const { user } = useSession()
  const { id: projectId } = useProject()
  const [typed, setTyped] = useState(user.email)
  const { data: members = [] } = useQuery(membersQuery(projectId))
  const keepsMail = useQuery(configQuery).data?.features.email.outbox === true
  const navigate = useNavigate()
  const emails = addressesIn(typed)
  const others = members.map(({ email }) => email).filter(email => !emails.includes(email.toLowerCase()))
  const send = async (): Promise<void> => {
    const wrong = emails.find(email => !/^[^@]+@[^@]+$/.test(email))
    if (wrong !== undefined) throw new Error(t.campaigns.testWrong(wrong))
    if (emails.length > mostAddresses) throw new Error(t.campaigns.testMany(mostAddresses))
    // What is scheduled is changed by “Publish changes” alone: the test is of what is stored.
    if (!draft.isLive && !(await store())) return
    const params = { path: { id: campaign.id } }
    try {
      const sent = await answer(api.POST('/campaigns/{id}/test', { params, body: { emails, variant } }))
      const failed = sent?.failed ?? []
      const arrived = emails.filter(email => !failed.some(each => each.email === email))
      const showOutbox = { label: t.home.showOutbox, run: () => void navigate({ to: '/outbox' }) }
      toast(t.campaigns.testSent(arrived), keepsMail ? showOutbox : undefined)
      if (failed.length > 0) throw new Error(failed.map(each => `${each.email}: ${each.message}`).join(' · '))
    } catch (error) {
      if (!showBroken(error, variant)) throw error
    }
  }
  return (
    <Card title={t.campaigns.test}>
      {/* No part of the draft. */}
      <div data-own-undo>
        <Form onSubmit={send} className="space-y-3">
          <TextField
            name="emails"
            inputMode="email"
            autoComplete="off"
            label={t.campaigns.testTo}
            hint={t.campaigns.testHint(mostAddresses)}
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
            required
          />
          {others.length > 0 && emails.length < mostAddresses && (
            <div className="flex flex-wrap gap-2">
              {others.slice(0, offeredAtMost).map(email => (
                <Button
                  key={email}
                  className="max-w-full"
                  onClick={() => setTyped([...emails, email.toLowerCase()].join(', '))}
                >
                  <Plus aria-hidden />
                  <span className="truncate">{email}</span>
                </Button>
              ))}
            </div>
          )}
          <SubmitButton variant="plain">{t.words.sendTest}</SubmitButton>
        </Form>
      </div>
    </Card>
  )
}

/** Each once, however they are divided. */
function addressesIn(typed: string): string[] {
  return [...new Set(typed.toLowerCase().split(/[\s,;]+/))].filter(Boolean)
}
