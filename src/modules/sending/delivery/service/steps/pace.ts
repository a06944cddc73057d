// The pace of the project, or of the transport that all projects share. Nothing is released: a booking spends time, which passes anyway.
import { makeBooker, makePacer } from '../pace'
import type { BatchStep, Make } from '../step'

export const makePace: Make<BatchStep> = ctx => {
  const book = makeBooker(ctx)
  const takeTurn = makePacer(ctx)
  return async ({ projectId, paceClass }, count) => {
    if (paceClass === 'campaign') return await book(projectId, count)
    const nextAt = await takeTurn(projectId, paceClass)
    return nextAt && { granted: 0, nextAt }
  }
}
