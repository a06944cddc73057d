// The way back from one thing to all of its kind, above the title of its page.
import { createLink } from '@tanstack/react-router'
import { ChevronLeft } from 'lucide-react'
import type { ComponentProps } from 'react'
import { classes } from './classes'

function Anchor({ children, className, ...rest }: ComponentProps<'a'>) {
  return (
    <a className={classes('inline-flex items-center gap-1 hover:text-ink', className)} {...rest}>
      <ChevronLeft className="size-4" aria-hidden /> {children}
    </a>
  )
}

export const BackLink = createLink(Anchor)
