// The first steps of a project: a list that ticks itself off, and disappears when everything is done or the reader dismisses it.
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Check, Send, X } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { answer, api } from '../../api/client'
import { domainsQuery, isSandbox } from '../../api/domains'
import { configQuery, mayWrite, refresh, useProject, useSession } from '../../app/session'
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
  const project = useProject()
  const { id } = project
  const canWrite = mayWrite(project)
  const key = `waxwing.started.${id}`
  const [isHidden, setHidden] = useState(() => localStorage.getItem(key) !== null)
  const { data } = useQuery({ ...setupQuery(id), enabled: !isHidden, refetchInterval: 5_000 })
  const { data: domains } = useQuery({ ...domainsQuery(id), enabled: !isHidden, refetchInterval: 5_000 })
  if (isHidden || !canWrite || !data || !domains) return null
  // What is there for trying things out, and the reader's own address after a first mail, nobody has set up.
  const hasDomain = domains.some(domain => domain.verified && !isSandbox(domain))
  const ownContacts = data.hasMail ? 1 : 0
  const { domain, mail, contact, campaign } = t.home.steps
  const steps: Step[] = [
    { ...domain, isDone: hasDomain, action: <ButtonLink to="/domains">{domain.action}</ButtonLink> },
    { ...contact, isDone: data.contactCount > ownContacts, action: <ContactLinks /> },
    { ...mail, isDone: data.hasMail, action: <TestMail /> },
    {
      ...campaign,
      isDone: data.lastCampaignSentAt !== null,
      action: <ButtonLink to="/campaigns/new">{t.campaigns.create}</ButtonLink>,
    },
  ]
  if (steps.every(step => step.isDone)) return null
  const hide = (): void => {
    localStorage.setItem(key, 'hidden')
    setHidden(true)
  }
  return (
    <Card
      title={t.home.start}
      actions={
        <IconButton label={t.home.hideStart} onClick={hide}>
          <X aria-hidden />
        </IconButton>
      }
    >
      <ol className="-my-3 divide-y divide-line">
        {steps.map(step => (
          <StepRow key={step.title} {...step} />
        ))}
      </ol>
    </Card>
  )
}

function ContactLinks() {
  return (
    <>
      <ButtonLink to="/contacts">{t.home.steps.contact.action}</ButtonLink>
      <ButtonLink to="/contacts/import">{t.contacts.import}</ButtonLink>
    </>
  )
}

function StepRow({ title, hint, isDone, action }: Step) {
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 py-3">
      <span
        className={classes(
          'grid size-5 shrink-0 place-items-center rounded-full border',
          isDone ? 'border-good bg-good-soft text-good' : 'border-edge',
        )}
      >
        {isDone && <Check className="size-3.5" aria-label={t.home.done} />}
      </span>
      <div className="min-w-0 flex-1 basis-56">
        <p className={classes('font-medium', isDone && 'text-quiet')}>{title}</p>
        {!isDone && <p className="text-[0.8125rem] text-quiet">{hint}</p>}
      </div>
      {!isDone && <div className="flex min-w-0 flex-wrap gap-2 max-md:ml-8">{action}</div>}
    </li>
  )
}

/** A mail to oneself, by the endpoint and key that the reader's own program will use. */
function TestMail() {
  const { user } = useSession()
  const project = useProject()
  const { data: domains = [] } = useQuery(domainsQuery(project.id))
  const keepsMail = useQuery(configQuery).data?.features.email.outbox === true
  const navigate = useNavigate()
  const { busy, error, run } = useAttempt()
  const domain = domains.find(each => each.verified) ?? domains[0]
  // Members who may not see the key send from their own code.
  if (!project.secret || !domain) return <ButtonLink to="/quickstart">{t.reference.quickstart}</ButtonLink>
  const send = async (): Promise<void> => {
    const headers = { authorization: `Bearer ${project.secret}` }
    const { testSubject: subject, testBody } = t.home
    const body = { to: user.email, from: `hello@${domain.domain}`, subject, body: testBody }
    await answer(api.POST('/v1/send', { headers, body }))
    const showOutbox = { label: t.home.showOutbox, run: () => void navigate({ to: '/outbox' }) }
    toast(t.home.testSent(user.email), keepsMail ? showOutbox : undefined)
    void refresh()
  }
  return (
    <>
      <Button busy={busy} className="max-w-full" onClick={() => run(send)}>
        <Send aria-hidden />
        <span className="truncate">{t.home.sendTest(user.email)}</span>
      </Button>
      {error !== undefined && <ErrorNote error={error} />}
    </>
  )
}
