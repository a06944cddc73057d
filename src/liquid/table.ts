// `{% tablerow %}` with `break` and `continue`, which in liquidjs reach beyond the table and cut off the rest of the body.
import { type Context, type Emitter, TablerowTag } from 'liquidjs'

export class TableLoop extends TablerowTag {
  override *render(context: Context, emitter: Emitter): Generator<unknown, void, unknown> {
    let isOver = false
    const cells = {
      buffer: '',
      /** The first thing that is written after a `break` is the end of its cell; cells behind it are left out. */
      write(value: unknown): void {
        if (isOver) return
        emitter.write(value)
        isOver = Boolean(context.breakCalled)
        context.continueCalled = false
      },
    }
    yield* super.render(context, cells)
    if (isOver) emitter.write('</tr>')
    context.breakCalled = false
  }
}
