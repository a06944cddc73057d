// The parts of an operation's page: members of requests and answers, those of nested objects below their parent, methods and words.

import type { ReferenceMember, ReferenceShape } from '../../api/reference'
import { t } from '../../texts'
import { classes } from '../../ui/classes'
import { CodeBlock } from '../../ui/copy'

interface RowProps {
  member: ReferenceMember
  /** Shown beside the type. */
  aside?: string
}

export function MemberRow({ member: { path, type, required, notes }, aside }: RowProps) {
  const depth = path.split('.').length - 1
  return (
    <li className="py-2" style={{ paddingInlineStart: `${depth * 1.25}rem` }}>
      <p className="flex flex-wrap items-baseline gap-x-2.5 wrap-anywhere">
        <code className="font-mono text-[0.8125rem] font-medium">{path}</code>
        <span className="text-xs text-quiet">{[type, aside].filter(Boolean).join(', ')}</span>
        {required && <span className="text-xs font-medium text-warn">{t.reference.required}</span>}
      </p>
      {notes && (
        <p className="text-quiet wrap-anywhere">
          <Words text={notes} />
        </p>
      )}
    </li>
  )
}

export function Shape({ shape: { members, type, example } }: { shape: Partial<ReferenceShape> }) {
  return (
    <div className="space-y-3">
      {members && members.length > 0 ? (
        <ul className="-my-2 divide-y divide-line">
          {members.map(member => (
            <MemberRow key={member.path} member={member} />
          ))}
        </ul>
      ) : (
        type && <p className="text-quiet">{type}</p>
      )}
      {example !== undefined && (
        <details>
          <summary className="py-1 font-medium">{t.reference.example}</summary>
          <CodeBlock code={typeof example === 'string' ? example : JSON.stringify(example, null, 2)} />
        </details>
      )}
    </div>
  )
}

const colours: Record<string, string> = {
  GET: 'text-accent',
  POST: 'text-good',
  PUT: 'text-warn',
  PATCH: 'text-warn',
  DELETE: 'text-bad',
}

/** The method of an operation; the colour shows whether it reads, creates, changes or deletes. */
export function Method({ method, className }: { method: string; className?: string }) {
  return (
    <span className={classes('shrink-0 font-mono text-xs font-semibold', colours[method], className)}>
      {method}
    </span>
  )
}

/** What the reference says of something: plain words, with what is typed in code between backticks. */
export function Words({ text }: { text: string }) {
  return text.split('`').map((part, nth) =>
    nth % 2 === 0 ? (
      part
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text never move.
      <code key={nth} className="font-mono text-[0.8125rem]">
        {part}
      </code>
    ),
  )
}
