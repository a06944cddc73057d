// The first steps of a project: a list that ticks itself off, and disappears when everything is done or the reader dismisses it.
import { useQuery } from '@tanstack/react-query'
import { Check, Send, X } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { answer, api } from '../../api/client'
import { domainsQuery, isSandbox } from '../../api/domains'
import { refresh, useProject, useSession } from '../../app/session'
import { t } from '../../texts'
import { useAttempt } from '../../ui/busy'
import { Button, ButtonLink, IconButton } from '../../ui/button'
import { classes } from '../../ui/classes'
import { ErrorNote } from '../../ui/error-note'
import { Card } from '../../ui/page'
import { toast } from '../../ui/toast'
import { setupQuery } from './data'

interface Step {
  title: string
  hint: string
  isDone: boolean
  action?: ReactNode
}

export function Start() {
  const { id } = useProject()
  const key = `waxwing.started.${id}`
  const [isHidden, setHidden] = useState(() => localStorage.getItem(key) !== null)
  const { data } = useQuery({ ...setupQuery(id), enabled: !isHidden, refetchInterval: 5_000 })
  const { data: domains } = useQuery({ ...domainsQuery(id), enabled: !isHidden, refetchInterval: 5_000 })
  if (isHidden || !data || !domains) return null
  // What is there for trying things out, and the reader's own address after a first mail, nobody has set up.
  const hasDomain = domains.some(domain => domain.verified && !isSandbox(domain))
  const ownContacts = data.hasMail ? 1 : 0
  const toDomains = <ButtonLink to="/domains">{t.overview.steps.domain.action}</ButtonLink>
  const toCampaign = <ButtonLink to="/campaigns/new">{t.campaigns.create}</ButtonLink>
  const steps: Step[] = [
    { ...t.overview.steps.domain, isDone: hasDomain, action: toDomains },
    { ...t.overview.steps.mail, isDone: data.hasMail, action: <TestMail /> },
    { ...t.overview.steps.contact, isDone: data.contactCount > ownContacts, action: <ContactLinks /> },
    { ...t.overview.steps.campaign, isDone: data.lastCampaignSentAt !== null, action: toCampaign },
  ]
  if (steps.every(step => step.isDone)) return null
  const hide = (): void => {
    localStorage.setItem(key, 'hidden')
    setHidden(true)
  }
  return (
    <Card
      title={t.overview.start}
      actions={
        <IconButton label={t.overview.hideStart} onClick={hide}>
          <X aria-hidden />
        </IconButton>
      }
    >
      <ol className="space-y-4">
        {steps.map(step => (
          <StepRow key={step.title} {...step} />
        ))}
      </ol>
    </Card>
  )
}

function ContactLinks() {
  return (
    <div className="flex flex-wrap gap-2">
      <ButtonLink to="/contacts">{t.overview.steps.contact.action}</ButtonLink>
      <ButtonLink to="/contacts/import">{t.contacts.import}</ButtonLink>
    </div>
  )
}

function StepRow({ title, hint, isDone, action }: Step) {
  return (
    <li className="flex gap-3">
      <span
        className={classes(
          'mt-0.5 grid size-5 shrink-0 place-items-center rounded-full border',
          isDone ? 'border-good bg-good-soft text-good' : 'border-edge',
        )}
      >
        {isDone && <Check className="size-3.5" aria-label={t.overview.done} />}
      </span>
      <div className="min-w-0 space-y-2">
        <div>
          <p className={classes('font-medium', isDone && 'text-quiet')}>{title}</p>
          {!isDone && <p className="text-quiet">{hint}</p>}
        </div>
        {!isDone && action}
      </div>
    </li>
  )
}

/** A mail to oneself, by the endpoint and key that the reader's own program will use. */
export function TestMail() {
  const { user } = useSession()
  const project = useProject()
  const { data: domains = [] } = useQuery(domainsQuery(project.id))
  const { busy, error, run } = useAttempt()
  const domain = domains.find(each => each.verified) ?? domains[0]
  if (!project.secret || !domain) return null
  const send = async (): Promise<void> => {
    const headers = { authorization: `Bearer ${project.secret}` }
    const { testSubject: subject, testBody } = t.overview
    const body = { to: user.email, from: `hello@${domain.domain}`, subject, body: testBody }
    await answer(api.POST('/v1/send', { headers, body }))
    toast(t.overview.testSent(user.email))
    void refresh()
  }
  return (
    <>
      <Button busy={busy} onClick={() => run(send)}>
        <Send aria-hidden />
        {t.overview.sendTest(user.email)}
      </Button>
      {error !== undefined && <ErrorNote error={error} />}
    </>
  )
}
