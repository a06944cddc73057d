// Senders that never stop: they send one message after the other to wherever the instance is at the moment, and remember which were
// accepted. What fails is not repeated: the next message has another recipient, so each address stands for one request.
import { type Keys, sendMail } from './program'

export interface Load {
  /** Recipients of the requests that were answered 200. */
  accepted: Set<string>
  /** Answers by status; requests that got no answer count as 0. */
  statuses: Map<number, number>
  /** Resolves when the requests under way are over. */
  stop(): Promise<void>
}

/** Must be verified before. */
export const senderDomain = 'acme-mail.com'

let counter = 0

/** `target` is asked before each request, so that it may change. */
export function startLoad(senders: number, keys: Keys, target: (sender: number) => string): Load {
  const accepted = new Set<string>()
  const statuses = new Map<number, number>()
  let stopped = false

  async function send(sender: number): Promise<void> {
    const to = `r${++counter}@example.org`
    const body = { from: `hello@${senderDomain}`, to, subject: 'Hello', body: '<p>Hello</p>' }
    const status = await sendMail(target(sender), keys, body)
      .then(
        // The answer counts when it has come whole.
        answer => answer.json().then(() => answer.status),
        () => 0,
      )
      .catch(() => 0)
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
    if (status === 200) accepted.add(to)
    else await Bun.sleep(20)
  }
  const running = Array.from({ length: senders }, async (_, sender) => {
    while (!stopped) await send(sender)
  })
  return {
    accepted,
    statuses,
    async stop() {
      stopped = true
      await Promise.all(running)
    },
  }
}
