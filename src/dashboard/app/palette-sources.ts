// Who finds things for the command palette. A page that has things with names adds its source here.
import type { ReactNode } from 'react'

export interface Hit {
  id: string
  label: string
  /** What it is, in a word. */
  kind: string
  icon?: ReactNode
  go: () => void
}

export interface PaletteSource {
  name: string
  /** The best few for what was typed. */
  find: (text: string, signal: AbortSignal) => Promise<Hit[]>
}

export const paletteSources: readonly PaletteSource[] = []
