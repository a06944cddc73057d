// An icon for each type of step.
import {
  Clock,
  GitBranch,
  Hourglass,
  LogOut,
  type LucideIcon,
  Mail,
  UserPen,
  Webhook,
  Zap,
} from 'lucide-react'
import { classes } from '../../ui/classes'
import type { StepType } from './graph'

const icons: Record<StepType, LucideIcon> = {
  TRIGGER: Zap,
  SEND_EMAIL: Mail,
  DELAY: Clock,
  WAIT_FOR_EVENT: Hourglass,
  CONDITION: GitBranch,
  UPDATE_CONTACT: UserPen,
  WEBHOOK: Webhook,
  EXIT: LogOut,
}

export function StepIcon({ type, isBare }: { type: StepType; isBare?: boolean }) {
  const Icon = icons[type]
  if (isBare) return <Icon aria-hidden />
  return (
    <span
      className={classes(
        'grid size-8 shrink-0 place-items-center rounded-md [&>svg]:size-4',
        type === 'TRIGGER' ? 'bg-accent-soft text-accent' : 'bg-hover text-quiet',
      )}
    >
      <Icon aria-hidden />
    </span>
  )
}
