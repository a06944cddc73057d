// Everything that can be pressed: a button, or a link that looks like one.
import { createLink } from '@tanstack/react-router'
import { LoaderCircle } from 'lucide-react'
import type { ComponentProps } from 'react'
import { classes } from './classes'

/** `strong` once per page, for its main purpose; `plain` for the rest; `quiet` inside other things; `danger` destroys. */
export type ButtonVariant = 'strong' | 'plain' | 'quiet' | 'danger'

const base =
  'control inline-flex items-center justify-center gap-1.5 whitespace-nowrap rounded-md px-3 text-sm font-medium select-none disabled:opacity-50 aria-disabled:opacity-50 [&>svg]:size-4 [&>svg]:shrink-0'

const variants: Record<ButtonVariant, string> = {
  strong: 'bg-strong text-on-strong enabled:hover:bg-strong-hover [a&]:hover:bg-strong-hover',
  plain: 'border border-edge bg-sheet text-ink enabled:hover:bg-hover [a&]:hover:bg-hover',
  quiet: 'text-quiet enabled:hover:bg-hover enabled:hover:text-ink [a&]:hover:bg-hover [a&]:hover:text-ink',
  danger: 'border border-bad bg-sheet text-bad enabled:hover:bg-bad-soft',
}

export function buttonClass(variant: ButtonVariant = 'plain', more?: string): string {
  return classes(base, variants[variant], more)
}

interface ButtonProps extends ComponentProps<'button'> {
  variant?: ButtonVariant
  /** The action is running: the button shows that, and can't be pressed again. */
  busy?: boolean
}

/** While it is busy it can't be pressed, but it keeps the focus: a disabled button would lose it for good. */
export function Button({
  variant,
  busy,
  className,
  children,
  type = 'button',
  onClick,
  ...rest
}: ButtonProps) {
  return (
    <button
      type={type}
      className={buttonClass(variant, className)}
      aria-disabled={busy || undefined}
      data-variant={variant}
      aria-busy={busy}
      onClick={busy ? event => event.preventDefault() : onClick}
      {...rest}
    >
      {busy && <LoaderCircle className="animate-spin" aria-hidden />}
      {children}
    </button>
  )
}

interface AnchorProps extends ComponentProps<'a'> {
  variant?: ButtonVariant
}

function Anchor({ variant, className, ...rest }: AnchorProps) {
  return <a data-variant={variant} className={buttonClass(variant, className)} {...rest} />
}

/** A link to a page that looks like a button. */
export const ButtonLink = createLink(Anchor)

interface IconButtonProps extends ButtonProps {
  /** Read aloud, and shown when one points at the button. */
  label: string
}

export function IconButton({ label, className, variant = 'quiet', ...rest }: IconButtonProps) {
  return (
    <Button
      variant={variant}
      aria-label={label}
      title={label}
      className={classes('w-9 px-0 max-md:min-w-11', className)}
      {...rest}
    />
  )
}
