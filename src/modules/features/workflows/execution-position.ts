// Where a page of executions begins when it is requested by cursor: after the last one of the previous page. Pure.
import { type Cursor, cursorDate, decodeCursor } from '../../../lib/cursor'

export interface ExecutionPosition {
  startedAt: Date
  id: string
}

export function readExecutionPosition(cursor: string | undefined): ExecutionPosition | undefined {
  const position = decodeCursor(cursor)
  return position && { startedAt: cursorDate(position), id: position.id }
}

export function positionOf({ startedAt, id }: ExecutionPosition): Cursor {
  return { value: startedAt.toISOString(), id }
}
