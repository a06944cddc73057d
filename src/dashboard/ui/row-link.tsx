// The link of a row in a table, as high as the row allows.
import { createLink } from '@tanstack/react-router'
import type { ComponentProps } from 'react'

function Anchor({ children, ...rest }: ComponentProps<'a'>) {
  return (
    <a className="block truncate py-2 font-medium hover:underline" {...rest}>
      {children}
    </a>
  )
}

export const RowLink = createLink(Anchor)
