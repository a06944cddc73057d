// How many test messages a project may send. They are counted nowhere else, so without a limit they would be a way past a plan's limit,
// and past the figures by which a project is suspended.
import { tooMany } from '../../../../lib/errors'
import { after, hour, second } from '../../../../lib/time'
import type { Context } from '../../../../platform/context'
import { perContext } from '../../../../platform/per-context'

/** Of one project, by one process, within an hour: a team that tries a message many times stays below it. */
export const testsPerHour = 100

interface Window {
  closesAt: Date
  sent: number
}

const windowsOf = perContext(() => new Map<string, Window>())

/** Counts one; 429 where there were too many. */
export function spendTest(ctx: Context, projectId: string): void {
  const windows = windowsOf(ctx)
  const now = ctx.clock.now()
  for (const [id, { closesAt }] of windows) if (closesAt <= now) windows.delete(id)
  const window = windows.get(projectId) ?? { closesAt: after(now, hour), sent: 0 }
  windows.set(projectId, window)
  if (++window.sent <= testsPerHour) return
  const seconds = Math.ceil((window.closesAt.getTime() - now.getTime()) / second)
  throw tooMany(`This project may send ${testsPerHour} test messages an hour`, Math.max(1, seconds))
}
