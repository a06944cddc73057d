/** Repeats `step` until it does less than a whole batch, or is aborted; returns how many it did in all. */
export async function inBatches(
  size: number,
  step: (limit: number) => Promise<number>,
  signal?: AbortSignal,
): Promise<number> {
  let total = 0
  while (!signal?.aborted) {
    const done = await step(size)
    total += done
    if (done < size) break
  }
  return total
}
