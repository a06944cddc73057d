// What a form needs before it can ask anybody: a sender for the mail that asks for the confirmation. Said at the start, and proposed; a form
// without one is not sent to the server, which would refuse it.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Ref } from 'react'
import { answer, api } from '../../api/client'
import { domainsQuery } from '../../api/domains'
import { isAdmin, refreshSession, useProject } from '../../app/session'
import { t } from '../../texts'
import { useBusy } from '../../ui/busy'
import { Button } from '../../ui/button'
import { classes } from '../../ui/classes'
import { toast } from '../../ui/toast'
import type { FormDraft } from './data'

/** Whether there is neither the project's nor that of the template. */
export function useLacksSender({ enabled, templateId }: FormDraft): boolean {
  const { defaultSender } = useProject()
  return enabled && templateId === '' && !defaultSender
}

interface SenderNoteProps {
  ref: Ref<HTMLDivElement>
  /** Somebody has tried to save without one. */
  isRefusal: boolean
  onChosen: () => void
}

export function SenderNote({ ref, isRefusal, onChosen }: SenderNoteProps) {
  const project = useProject()
  const { data: domains = [] } = useQuery(domainsQuery(project.id))
  const [busy, run] = useBusy()
  const domain = domains.find(each => each.verified)
  const email = domain && `hello@${domain.domain}`
  const choose = async (): Promise<void> => {
    const body = { defaultSender: { email: email!, name: null, replyTo: null } }
    await answer(api.PATCH('/users/@me/projects/{id}', { params: { path: { id: project.id } }, body }))
    await refreshSession()
    toast(t.forms.senderSet)
    onChosen()
  }
  return (
    <div
      ref={ref}
      role={isRefusal ? 'alert' : 'note'}
      tabIndex={-1}
      className={classes(
        'flex flex-wrap items-center gap-3 rounded-lg px-4 py-3',
        isRefusal ? 'bg-bad-soft' : 'bg-warn-soft',
      )}
    >
      <p className="min-w-60 flex-1">
        {t.forms.needsSender}{' '}
        <Link to={domain ? '/settings' : '/domains'} className="underline underline-offset-2">
          {domain ? t.forms.senderSettings : t.forms.senderDomain}
        </Link>
      </p>
      {email && isAdmin(project) && (
        <Button busy={busy} onClick={() => run(choose)}>
          {t.forms.chooseSender(email)}
        </Button>
      )}
    </div>
  )
}
