// The state of an execution in a word.
import { t } from '../../texts'
import { Badge, type Tone } from '../../ui/badge'

const tones: Record<string, Tone> = {
  RUNNING: 'accent',
  WAITING: 'accent',
  COMPLETED: 'good',
  EXITED: 'good',
  FAILED: 'bad',
}

export function ExecutionStatus({ status }: { status: string }) {
  return <Badge tone={tones[status]}>{t.workflows.statuses[status] ?? status}</Badge>
}
