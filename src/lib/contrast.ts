// Whether words can be read on a color, by the contrast of WCAG.

/** Black on it or white: one of them always has a contrast of 4.5 or more. */
export function textOn(accent: string): '#000000' | '#ffffff' {
  const luminance = luminanceOf(accent)
  return (luminance + 0.05) / 0.05 >= 1.05 / (luminance + 0.05) ? '#000000' : '#ffffff'
}

/** WCAG's relative luminance of `#rrggbb`. */
function luminanceOf(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map(at => Number.parseInt(colour.slice(at, at + 2), 16) / 255)
    .map(share => (share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4))
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
