// The members of requests and answers; those of nested objects are below their parent, expanded.
import type { ReferenceMember, ReferenceShape } from '../../api/reference'
import { t } from '../../texts'
import { CodeBlock } from '../../ui/copy'
import { Words } from './words'

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
