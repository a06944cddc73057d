// The workflows that a contact went through or is in.
import { useQuery } from '@tanstack/react-query'
import { t } from '../../texts'
import { Badge, type Tone } from '../../ui/badge'
import { Loaded } from '../../ui/loading'
import { Card } from '../../ui/page'
import { Time } from '../../ui/time'
import { contactWorkflowsQuery } from './data'

const tones: Record<string, Tone> = { RUNNING: 'accent', WAITING: 'accent', COMPLETED: 'good', FAILED: 'bad' }

export function Workflows({ contactId }: { contactId: string }) {
  const query = useQuery(contactWorkflowsQuery(contactId))
  return (
    <Card title={t.workflows.title}>
      <Loaded query={query}>
        {({ executions }) =>
          executions.length === 0 ? (
            <p className="text-quiet">{t.contacts.noWorkflows}</p>
          ) : (
            <ul className="space-y-2.5">
              {executions.map(({ id, workflow, status, startedAt }) => (
                <li key={id} className="flex items-center gap-2">
                  <span className="min-w-0 flex-1 truncate font-medium">{workflow.name}</span>
                  <Badge tone={tones[status]}>{t.contacts.executions[status] ?? status}</Badge>
                  <span className="text-xs text-quiet">
                    <Time at={startedAt} />
                  </span>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Card>
  )
}
