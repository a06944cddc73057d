// A name and its value, in a <dl> of facts.
import type { ReactNode } from 'react'

export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-xs text-quiet">{name}</dt>
      <dd className="wrap-anywhere">{children}</dd>
    </div>
  )
}
