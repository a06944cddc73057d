// The requests that this process is answering. Whoever must know that nobody is still writing asks here which are under way, and
// later which of those are left.

export interface LiveRequest {
  /** Monotonic milliseconds. */
  readonly startedAt: number
}

export interface LiveRequests {
  begin(request: LiveRequest): void
  end(request: LiveRequest): void
  underway(): LiveRequest[]
}

/** Longer than any handler works: an answer that was never finished, because its reader went away, is no work. */
const longestMs = 60_000

export function liveRequests(): LiveRequests {
  const live = new Set<LiveRequest>()
  return {
    begin: request => void live.add(request),
    end: request => void live.delete(request),
    underway() {
      const since = performance.now() - longestMs
      for (const request of live) if (request.startedAt < since) live.delete(request)
      return [...live]
    },
  }
}
