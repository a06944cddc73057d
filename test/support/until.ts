// Waiting for a fact that nothing announces: what other processes, the operating system and real timers do.

/** Far beyond what any of it takes: the limit finds what never happens, on a machine however busy. */
const patienceMs = 60_000

export async function until(
  what: string,
  isTrue: () => boolean | Promise<boolean>,
  withinMs = patienceMs,
): Promise<void> {
  const end = performance.now() + withinMs
  while (!(await isTrue())) {
    if (performance.now() > end) throw new Error(`not within ${withinMs} ms: ${what}`)
    await Bun.sleep(5)
  }
}
