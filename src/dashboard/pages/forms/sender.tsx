// What a form needs before it can ask anybody: a sender for the mail that asks for the confirmation. Said at the start, and proposed.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { answer, api } from '../../api/client'
import { domainsQuery } from '../../api/domains'
import { isAdmin, refreshSession, useProject } from '../../app/session'
import { t } from '../../texts'
import { useBusy } from '../../ui/busy'
import { Button } from '../../ui/button'
import { toast } from '../../ui/toast'
import type { FormDraft } from './data'

/** Nothing where there is a sender: the project's, or that of the template. */
export function SenderNote({ draft: { enabled, templateId } }: { draft: FormDraft }) {
  const project = useProject()
  const { data: domains = [] } = useQuery(domainsQuery(project.id))
  const [busy, run] = useBusy()
  if (!enabled || templateId !== '' || project.defaultSender) return null
  const domain = domains.find(each => each.verified)
  const email = domain && `hello@${domain.domain}`
  const choose = async (): Promise<void> => {
    const body = { defaultSender: { email: email!, name: null, replyTo: null } }
    await answer(api.PATCH('/users/@me/projects/{id}', { params: { path: { id: project.id } }, body }))
    await refreshSession()
    toast(t.forms.senderSet)
  }
  return (
    <div role="note" className="flex flex-wrap items-center gap-3 rounded-lg bg-warn-soft px-4 py-3">
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
