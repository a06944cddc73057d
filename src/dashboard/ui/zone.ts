// Moments in a time zone: what people type, and what is sent to the server. Pure.

/** The reader's own time zone. */
export const ownZone = Intl.DateTimeFormat().resolvedOptions().timeZone

export function zones(): string[] {
  return [...new Set([ownZone, 'UTC', ...Intl.supportedValuesOf('timeZone')])]
}

/** How many minutes the clocks of the zone are ahead of UTC at a moment. */
function offsetAt(moment: number, zone: string): number {
  const form = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  })
  const parts = Object.fromEntries(form.formatToParts(moment).map(({ type, value }) => [type, Number(value)]))
  const { year, month, day, hour, minute, second } = parts as Record<string, number>
  const local = Date.UTC(year!, month! - 1, day!, hour, minute, second)
  return Math.round((local - Math.floor(moment / 1000) * 1000) / 60_000)
}

/** `2026-03-29T09:00` in Berlin as a moment. A time that is skipped when clocks go forward becomes an hour later. */
export function momentIn(zone: string, local: string): Date | undefined {
  const asUtc = /^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(local) ? Date.parse(`${local}:00Z`) : Number.NaN
  if (Number.isNaN(asUtc)) return undefined
  const guess = asUtc - offsetAt(asUtc, zone) * 60_000
  return new Date(asUtc - offsetAt(guess, zone) * 60_000)
}

/** The reverse, in the format of the browser's own field. */
export function localIn(zone: string, moment: Date): string {
  return new Date(moment.getTime() + offsetAt(moment.getTime(), zone) * 60_000).toISOString().slice(0, 16)
}
