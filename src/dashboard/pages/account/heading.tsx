// The title of a page outside any project, and what it asks for.
import type { ReactNode } from 'react'
import { useTitle } from '../../ui/page'

export function Heading({ title, children }: { title: string; children?: ReactNode }) {
  useTitle(title)
  return (
    <div className="space-y-1">
      <h1 className="text-xl font-semibold tracking-tight">{title}</h1>
      {children && <p className="text-quiet">{children}</p>}
    </div>
  )
}

export const textLink = 'font-medium text-accent underline-offset-2 hover:underline'
