// Requests that arrive together are written together, unless two of them want opposite subscription states of one contact:
// if merged, the first change would vanish as if it had never been asked for. Pure.

/** What a wave needs to know of its members. */
interface Wanted {
  projectId: string
  email: string
  subscribed: boolean | undefined
}

/** Splits the items so that no wave contradicts itself; the items of one contact keep their order. */
export function splitWaves<T extends Wanted>(items: readonly T[]): T[][] {
  const waves: T[][] = []
  const last = new Map<string, { wave: number; subscribed: boolean | undefined }>()
  for (const item of items) {
    const key = `${item.projectId} ${item.email}`
    const before = last.get(key) ?? { wave: 0, subscribed: undefined }
    const contradicts =
      item.subscribed !== undefined &&
      before.subscribed !== undefined &&
      item.subscribed !== before.subscribed
    const wave = before.wave + (contradicts ? 1 : 0)
    last.set(key, { wave, subscribed: item.subscribed ?? before.subscribed })
    if (wave === waves.length) waves.push([])
    waves[wave]!.push(item)
  }
  return waves
}
