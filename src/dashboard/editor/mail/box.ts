// What every block can have around it: space, a background, a border; and for its words a size and a color. All of it is optional, so
// that a block without any looks as it always has.
import { colourOf } from './document'

type Attributes = Record<string, unknown>

/** A whole number between two limits; undefined for anything else. */
export function pixels(value: unknown, most: number, least = 0): number | undefined {
  if (value === null || value === undefined || value === '') return undefined
  const number = Math.round(Number(value))
  return Number.isFinite(number) ? Math.min(Math.max(number, least), most) : undefined
}

interface BoxFrame {
  background: string
  border: number
  borderColor: string
  radius: number
}

export const lineColour = '#dedad5'

/** Undefined for a block that has neither background nor border. */
export function frameOf(attrs: Attributes = {}): BoxFrame | undefined {
  const background = colourOf(attrs['background'], '')
  const border = pixels(attrs['border'], 8) ?? 0
  if (!background && !border) return undefined
  const borderColor = colourOf(attrs['borderColor'], lineColour)
  return { background, border, borderColor, radius: pixels(attrs['radius'], 48) ?? 0 }
}

export const frameSide = 16
const frameEnds = 12
export const below = 16

/** Above and below: inside the frame if there is one. */
export function spaceOf(attrs: Attributes = {}, after = below): [above: number, below: number] {
  const inside = frameOf(attrs) !== undefined
  return [
    pixels(attrs['paddingTop'], 96) ?? (inside ? frameEnds : 0),
    pixels(attrs['paddingBottom'], 96) ?? (inside ? frameEnds : after),
  ]
}

/** The same number of pixels as CSS has it. */
export const px = (length: number): string => (length === 0 ? '0' : `${length}px`)

export function frameStyle({ background, border, borderColor, radius }: BoxFrame): string {
  return [
    background && `background-color:${background};`,
    border > 0 && `border:${border}px solid ${borderColor};`,
    radius > 0 && `border-radius:${radius}px;`,
  ]
    .filter(Boolean)
    .join('')
}

export interface TextSize {
  size: number
  /** In pixels, because Outlook knows nothing else. */
  line: number
}

/** As it is set for the block, or as it is for its kind. */
export function textSizeOf(attrs: Attributes = {}, { size, line }: TextSize): TextSize {
  const own = pixels(attrs['fontSize'], 72, 9) ?? size
  const times = Number(attrs['lineHeight'])
  if (times >= 1 && times <= 3) return { size: own, line: Math.round(own * times) }
  return { size: own, line: own === size ? line : Math.round((own * line) / size) }
}
