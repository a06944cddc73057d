// A mail to oneself, by the endpoint and key that the reader's own program will use.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Send } from 'lucide-react'
import { useState } from 'react'
import { answer, api } from '../../api/client'
import { domainsQuery } from '../../api/domains'
import { useProject, useSession } from '../../app/session'
import { t } from '../../texts'
import { Button } from '../../ui/button'
import { ErrorNote } from '../../ui/error-note'
import { toast } from '../../ui/toast'

export function TestMail() {
  const { user } = useSession()
  const project = useProject()
  const client = useQueryClient()
  const { data: domains = [] } = useQuery(domainsQuery(project.id))
  const [state, setState] = useState<{ busy: boolean; error?: unknown }>({ busy: false })
  const domain = domains.find(each => each.verified) ?? domains[0]
  if (!project.secret || !domain) return null
  const send = async (): Promise<void> => {
    setState({ busy: true })
    try {
      await answer(
        api.POST('/v1/send', {
          headers: { authorization: `Bearer ${project.secret}` },
          body: {
            to: user.email,
            from: `hello@${domain.domain}`,
            subject: t.overview.testSubject,
            body: t.overview.testBody,
          },
        }),
      )
      setState({ busy: false })
      toast(t.overview.testSent(user.email))
      await client.invalidateQueries()
    } catch (error) {
      setState({ busy: false, error })
    }
  }
  return (
    <>
      <Button busy={state.busy} onClick={send}>
        <Send aria-hidden />
        {t.overview.sendTest(user.email)}
      </Button>
      {state.error !== undefined && <ErrorNote error={state.error} />}
    </>
  )
}
