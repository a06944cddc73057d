// A run of a job, as its handler sees it: neither the last one nor over, unless the test says so.
export function jobRun(changes: { signal?: AbortSignal; isLastAttempt?: boolean } = {}) {
  return { signal: new AbortController().signal, isLastAttempt: false, ...changes }
}

/** A run whose time is over, or whose lease was lost. */
export function overRun() {
  return jobRun({ signal: AbortSignal.abort(new Error('it ran longer than 600000 ms')) })
}
