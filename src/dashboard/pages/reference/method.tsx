// The method of an operation; the colour shows whether it reads, creates, changes or deletes.
import { classes } from '../../ui/classes'

const colours: Record<string, string> = {
  GET: 'text-accent',
  POST: 'text-good',
  PUT: 'text-warn',
  PATCH: 'text-warn',
  DELETE: 'text-bad',
}

export function Method({ method, className }: { method: string; className?: string }) {
  return (
    <span className={classes('shrink-0 font-mono text-xs font-semibold', colours[method], className)}>
      {method}
    </span>
  )
}
