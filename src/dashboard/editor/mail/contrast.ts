// Whether words can be read on a color, by the contrast of WCAG.

const enough = 4.5

/** White or black, whichever can be read on the color: one of them always can. */
export function inkOn(ground: string): string {
  return ['#ffffff', '#1a1816'].find(ink => contrastOf(ground, ink) >= enough) ?? '#000000'
}

/** The color of words on a background: the given one if it can be read there. */
export function readableOn(ground: string, ink: string): string {
  return contrastOf(ground, ink) >= enough ? ink : inkOn(ground)
}

/** From 1 to 21. */
export function contrastOf(ground: string, ink: string): number {
  const [light, dark] = [luminance(ground), luminance(ink)].sort((a, b) => b - a) as [number, number]
  return (light + 0.05) / (dark + 0.05)
}

/** The nearest color of the same tone that can be read on the ground; undefined if `ink` can be. */
export function readableShade(ground: string, ink: string): string | undefined {
  if (contrastOf(ground, ink) >= enough) return undefined
  const end = inkOn(ground) === '#ffffff' ? 255 : 0
  for (let share = 0.02; share < 1; share += 0.02) {
    const shade = mixed(ink, end, share)
    if (contrastOf(ground, shade) >= enough) return shade
  }
  return inkOn(ground)
}

function mixed(color: string, end: number, share: number): string {
  const parts = partsOf(color).map(part => Math.round(part + (end - part) * share))
  return `#${parts.map(part => part.toString(16).padStart(2, '0')).join('')}`
}

const partsOf = (color: string): number[] => [1, 3, 5].map(at => Number.parseInt(color.slice(at, at + 2), 16))

function luminance(color: string): number {
  const [red, green, blue] = partsOf(color).map(part => part / 255)
  const linear = (part: number): number => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
  return 0.2126 * linear(red!) + 0.7152 * linear(green!) + 0.0722 * linear(blue!)
}
