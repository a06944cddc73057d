// One call of a tool, from its arguments to its answer.
import { Value } from '@sinclair/typebox/value'
import type { KeyScope } from '../../../http/route'
import { fieldErrors } from '../../../http/validation'
import { AppError, forbidden, invalid } from '../../../lib/errors'
import { hexToken } from '../../../lib/ids'
import type { Context } from '../../../platform/context'
import { dataAnswer, failureAnswer, proposalAnswer, type ToolAnswer } from '../answer'
import { type Ask, type McpTool, mayUse, type Proposal } from '../tools'
import { makeConfirmation, requireConfirmation } from './confirm'

/** Who calls. */
export interface ToolCaller {
  projectId: string
  /** The key as it came: what is confirmed is bound to it. */
  key: string
  /** Undefined for the secret key of the project. */
  scopes: readonly KeyScope[] | undefined
  /** By the route's name, as it is registered. */
  mayCall: (route: string) => boolean
  ask: Ask
}

export async function runTool(
  ctx: Context,
  caller: ToolCaller,
  tool: McpTool,
  given: Record<string, unknown>,
): Promise<ToolAnswer> {
  try {
    return await answerOf(ctx, caller, tool, given)
  } catch (error) {
    if (error instanceof AppError) return failureAnswer(error)
    ctx.log.error(
      { tool: tool.name, cause: error instanceof Error ? error.message : undefined },
      'a tool failed',
    )
    return failureAnswer(new AppError(500, 'INTERNAL_SERVER_ERROR', 'The tool failed'))
  }
}

async function answerOf(
  ctx: Context,
  caller: ToolCaller,
  tool: McpTool,
  { confirmation, ...input }: Record<string, unknown>,
): Promise<ToolAnswer> {
  requireScopes(caller, tool)
  requireInput(tool, input, confirmation)
  const proposal = await tool.propose?.(caller.ask, input)
  if (proposal) {
    const asked = await confirm(ctx, caller, { tool, input, proposal, confirmation })
    if (asked) return asked
  }
  const data = await tool.run(caller.ask, input, proposal?.facts ?? {})
  return dataAnswer(data, hexToken(ctx.random, 8))
}

interface ToConfirm {
  tool: McpTool
  input: Record<string, unknown>
  proposal: Proposal
  confirmation: unknown
}

/** The question, where there is no confirmation yet; undefined once it is confirmed. */
async function confirm(
  ctx: Context,
  { projectId, key }: ToolCaller,
  { tool, input, proposal, confirmation }: ToConfirm,
): Promise<ToolAnswer | undefined> {
  const about = { projectId, key, tool: tool.name, input, facts: proposal.facts }
  if (typeof confirmation === 'string') {
    await requireConfirmation(ctx, confirmation, about)
    return undefined
  }
  const { text, expiresAt } = makeConfirmation(ctx, about)
  return proposalAnswer(proposal.summary, text, expiresAt)
}

/** Before anything is asked: a key that may not do it gets no question about it either. */
function requireScopes({ scopes, mayCall }: ToolCaller, tool: McpTool): void {
  if (mayUse(tool, mayCall)) return
  throw forbidden('FORBIDDEN', `The key lacks a scope that ${tool.name} needs`, {
    details: { scopes },
    suggestion: 'Use a key that may read and write, and send where mail leaves, or the secret key.',
  })
}

/** More of them help nobody. */
const maxFaults = 20

function requireInput(tool: McpTool, input: Record<string, unknown>, confirmation: unknown): void {
  const faults = fieldErrors(Value.Errors(tool.input, input)).slice(0, maxFaults)
  const isText =
    confirmation === undefined || (typeof confirmation === 'string' && confirmation.length <= 200)
  if (!isText || (confirmation !== undefined && !tool.propose))
    faults.push({ field: 'confirmation', message: 'Unexpected', code: 'custom' })
  if (faults.length > 0) throw invalid(faults)
}
