// Loading what nobody has asked for yet, when nothing else is to be done.

const longestMs = 1_000

/** Safari does not tell when it is idle; a moment later will do. */
export function whenIdle(): Promise<void> {
  return new Promise(resolve => {
    if ('requestIdleCallback' in globalThis) requestIdleCallback(() => resolve(), { timeout: longestMs })
    else setTimeout(resolve, longestMs / 4)
  })
}
